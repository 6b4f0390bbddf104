/** Reads the settings of an app off its zod schema: their paths, flags, variables, types and help. */
import type { z } from 'zod';

export interface Setting {
  /** `hub.kubeconfig` */
  readonly path: string;
  readonly keys: readonly string[];
  /** The leading keys of groups that are there even when nothing of them is given: those before the first that may be left out. */
  readonly groups: readonly string[];
  /** `--hub-kubeconfig` */
  readonly flag: string;
  /** `LIFELINE_HUB_KUBECONFIG` */
  readonly variable: string;
  readonly type: 'string' | 'number' | 'boolean' | 'list' | 'json';
  readonly description: string;
  /** It, something in it, or the group that it stands in is marked as secret. */
  readonly secret: boolean;
  /** As JSON; undefined when there is none. */
  readonly defaultText: string | undefined;
  readonly required: boolean;
}

/** The parts of a zod 4 schema that this file looks at. @see https://zod.dev/packages/core */
interface Definition {
  readonly type: string;
  readonly innerType?: Node;
  readonly in?: Node;
  readonly element?: Node;
  readonly valueType?: Node;
  readonly options?: readonly Node[];
  readonly defaultValue?: unknown;
}
interface Node {
  readonly def: Definition;
  readonly shape?: Readonly<Record<string, Node>>;
  meta(): { readonly description?: string; readonly secret?: boolean } | undefined;
}

/**
 * Every leaf of the schema, in its order.
 *
 * Shape: an object is descended into, everything else is a leaf; a list of strings takes commas or repeated flags, other structures JSON.
 * @throws TypeError when two settings share a flag (`aB.c` and `a.bC`): a mistake in the schema
 */
export function settingsOf(schema: z.ZodType): readonly Setting[] {
  const settings: Setting[] = [];
  collect(schema as unknown as Node, { keys: [], groups: [], secret: false }, settings);
  const byFlag = new Map<string, Setting>();
  for (const setting of settings) {
    const other = byFlag.get(setting.flag);
    if (other) throw new TypeError(`settings ${other.path} and ${setting.path} share the flag ${setting.flag}`);
    byFlag.set(setting.flag, setting);
  }
  return settings;
}

/** Where a node stands. */
type Place = Pick<Setting, 'keys' | 'groups' | 'secret'>;

function collect(node: Node, { keys, groups, secret }: Place, into: Setting[]): void {
  const { inner, optional, defaultValue, meta } = unwrap(node);
  if (inner.shape && keys.length < deepest) {
    const isThere = groups.length === keys.length - 1 && !optional && defaultValue === undefined;
    const below = { groups: isThere ? keys : groups, secret: secret || meta.secret === true };
    for (const [key, child] of Object.entries(inner.shape)) collect(child, { ...below, keys: [...keys, key] }, into);
    return;
  }
  const path = keys.join('.');
  const words = keys.map((key) => key.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase());
  into.push({
    path,
    keys,
    groups,
    flag: `--${words.join('-')}`,
    variable: `LIFELINE_${words.join('_').replaceAll('-', '_').toUpperCase()}`,
    type: leafType(inner),
    description: meta.description ?? '',
    secret: secret || holdsSecret(node),
    defaultText: defaultValue === undefined ? undefined : JSON.stringify(defaultValue),
    required: !optional && defaultValue === undefined,
  });
}

const deepest = 8;

function holdsSecret(node: Node, depth = 0): boolean {
  if (node.meta()?.secret === true) return true;
  const { innerType, in: input, element, valueType, options = [] } = node.def;
  const parts = [innerType, input, element, valueType, ...options, ...Object.values(node.shape ?? {})];
  return depth < deepest && parts.some((part) => part !== undefined && holdsSecret(part, depth + 1));
}

function unwrap(node: Node): {
  inner: Node;
  optional: boolean;
  defaultValue: unknown;
  meta: { description?: string; secret?: boolean };
} {
  let inner = node;
  let optional = false;
  let defaultValue: unknown;
  let meta: { description?: string; secret?: boolean } = {};
  for (;;) {
    meta = { ...inner.meta(), ...meta };
    const { type, innerType, in: input, defaultValue: value } = inner.def;
    if (type === 'optional' || type === 'nullable') optional = true;
    if (type === 'default' || type === 'prefault') defaultValue ??= value;
    const next = type === 'pipe' ? input : innerType;
    if (!next) return { inner, optional, defaultValue, meta };
    inner = next;
  }
}

function leafType(node: Node): Setting['type'] {
  switch (node.def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return 'string';
    case 'number':
    case 'int':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return node.def.element && leafType(unwrap(node.def.element).inner) === 'string' ? 'list' : 'json';
    case 'union': {
      const types = new Set((node.def.options ?? []).map((option) => leafType(unwrap(option).inner)));
      const [only = 'json'] = types;
      return types.size === 1 ? only : 'json';
    }
    default:
      return 'json';
  }
}
