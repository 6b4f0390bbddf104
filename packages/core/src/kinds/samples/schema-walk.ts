/** Steps through a schema, alone or beside a value that it describes: for tests of kinds. */
import type { z } from 'zod';

/** A schema without `optional` and `nullable`. */
export interface Field {
  readonly schema: z.core.$ZodTypes;
  readonly optional: boolean;
}

export function fieldOf(schema: z.core.$ZodType): Field {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'optional' && def.type !== 'nullable') {
    return { schema: schema as z.core.$ZodTypes, optional: false };
  }
  const inner = fieldOf(def.innerType);
  return { ...inner, optional: inner.optional || def.type === 'optional' };
}

/** The named fields of an object schema; none of any other. */
export function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = fieldOf(schema).schema._zod;
  return def.type === 'object' ? def.shape : {};
}

/** The schema of a list's items. */
export function itemsOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = fieldOf(schema).schema._zod;
  return def.type === 'array' ? def.element : undefined;
}

/**
 * The schema at a path of a descriptor (`status.listeners[].conditions`) or of a printer column
 * (`.status.conditions[?(@.type=="Ready")].status`, `.spec.rules[0].name`); undefined when the schema does not name it.
 */
export function schemaAt(root: z.core.$ZodType, path: string): z.core.$ZodType | undefined {
  const steps = path.match(/[\w-]+(?=[.[]|$)|\[\]|\[\*\]|\[\d+\]|\[\?\(@\.\w+=="[^"]*"\)\]/g) ?? [];
  return steps.reduce<z.core.$ZodType | undefined>((at, step) => {
    if (!at) return undefined;
    if (!step.startsWith('[')) return fieldsOf(at)[step];
    const items = itemsOf(at);
    const filter = /^\[\?\(@\.(\w+)==/.exec(step)?.[1];
    return items && filter !== undefined && !fieldsOf(items)[filter] ? undefined : items;
  }, root);
}

/** A place in a value: which keys lead there, and what the schema says of it. */
export interface Place extends Field {
  readonly path: readonly (string | number)[];
}

/** Every place in `value` that the schema names, the root first. */
export function* placesOf(schema: z.core.$ZodType, value: unknown, path: Place['path'] = []): Generator<Place> {
  const field = fieldOf(schema);
  yield { ...field, path };
  const { def } = field.schema._zod;
  if (def.type === 'object') {
    for (const [name, child] of Object.entries(def.shape)) {
      const at = (value as Record<string, unknown>)[name];
      if (at !== undefined) yield* placesOf(child, at, [...path, name]);
    }
  } else if (def.type === 'array') {
    for (const [index, item] of (value as unknown[]).entries()) yield* placesOf(def.element, item, [...path, index]);
  } else if (def.type === 'record') {
    for (const [name, item] of Object.entries(value as object)) yield* placesOf(def.valueType, item, [...path, name]);
  }
}

/** A copy of `value` with what `edit` does to the place at `path`. `edit` gets the parent and the last key. */
export function edited(
  value: unknown,
  path: Place['path'],
  edit: (parent: Record<string | number, unknown>, key: string | number) => void,
): unknown {
  const copy: unknown = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at, key) => (at as Record<string | number, unknown>)[key], copy);
  edit(parent as Record<string | number, unknown>, path.at(-1) ?? '');
  return copy;
}
