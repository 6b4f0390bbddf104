/** Whether a CustomResourceDefinition's schemas are structural, and its list maps, selectable fields and columns sound. */
import type { CustomResourceDefinition } from '../kinds/kubernetes/custom-resource-definition.ts';
import type { StructuralSchema } from './structural-schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation: what a structural schema may not contain */
const forbidden = new Set([
  '$ref',
  'definitions',
  'dependencies',
  'deprecated',
  'discriminator',
  'id',
  'patternProperties',
  'readOnly',
  'uniqueItems',
  'writeOnly',
  'xml',
  // Legal in places, and no schema of ours needs them.
  'allOf',
  'anyOf',
  'not',
  'nullable',
  'oneOf',
]);

const scalars = new Set<unknown>(['string', 'integer', 'number', 'boolean']);
const selectable = new Set<unknown>(['string', 'integer', 'boolean']);

/** One line per violation, with its path. Empty: the API server takes it, CEL and the values of defaults aside. */
export function structuralViolations(crd: CustomResourceDefinition): readonly string[] {
  const found: string[] = [];
  const stored = crd.spec.versions.filter(({ storage }) => storage);
  if (stored.length !== 1) found.push(`${stored.length} stored versions`);
  for (const version of crd.spec.versions) {
    const root = version.schema?.openAPIV3Schema as StructuralSchema | undefined;
    if (!root) {
      found.push(`${version.name}: no schema`);
      continue;
    }
    if (root.type !== 'object') found.push(`${version.name}: the root is no object`);
    checkNode(root, version.name);
    for (const { jsonPath } of version.selectableFields ?? []) {
      const at = propertyAt(root, jsonPath);
      if (!at || !selectable.has(at.type))
        found.push(`${version.name}: selectable field ${jsonPath} is no plain field`);
    }
    if ((version.selectableFields ?? []).length > 8) found.push(`${version.name}: more than 8 selectable fields`);
  }
  return found;

  function checkNode(node: StructuralSchema, path: string): void {
    const report = (message: string): void => void found.push(`${path}: ${message}`);
    for (const keyword of Object.keys(node)) if (forbidden.has(keyword)) report(`${keyword} is forbidden`);
    const open: unknown = node['x-kubernetes-preserve-unknown-fields'];
    const intOrString = node['x-kubernetes-int-or-string'];
    if (open !== undefined && open !== true) report('x-kubernetes-preserve-unknown-fields may only be true');
    if (intOrString && node.type !== undefined) report('x-kubernetes-int-or-string excludes a type');
    if (node.type === undefined && !open && !intOrString) report('no type');
    if (node['x-kubernetes-map-type'] && node.type !== 'object') report('x-kubernetes-map-type on no object');
    if (node.properties && node.additionalProperties) report('properties exclude additionalProperties');
    if (typeof node.additionalProperties === 'boolean') report('additionalProperties must be a schema');
    if ((node.properties || node.additionalProperties) && node.type !== 'object') report('properties of no object');
    for (const name of node.required ?? []) if (!node.properties?.[name]) report(`requires ${name}, which it lacks`);
    if (node.type === 'array' ? !node.items : node.items) report(node.items ? 'items of no array' : 'no items');
    checkListMap(node, report);
    for (const [name, child] of Object.entries(node.properties ?? {})) checkNode(child, `${path}.${name}`);
    if (node.items) checkNode(node.items, `${path}[]`);
    if (isNode(node.additionalProperties)) checkNode(node.additionalProperties, `${path}{}`);
  }
}

/** A list map's items are objects, and each key is a scalar that no item lacks: required, or filled in. */
function checkListMap(node: StructuralSchema, report: (message: string) => void): void {
  const keys = node['x-kubernetes-list-map-keys'];
  if (node['x-kubernetes-list-type'] !== 'map') {
    if (keys) report('list map keys without list type map');
    return;
  }
  if (node.type !== 'array') report('list type of no array');
  if (!keys || keys.length === 0) report('a list map without keys');
  for (const key of keys ?? []) {
    const property = node.items?.properties?.[key];
    if (!property || !scalars.has(property.type)) report(`list map key ${key} is no scalar of the items`);
    else if (!node.items?.required?.includes(key) && property.default === undefined) {
      report(`list map key ${key} is neither required nor defaulted`);
    }
  }
}

/** The schema at a simple path (`.spec.name`); undefined when it does not exist or steps into a list. */
export function propertyAt(root: StructuralSchema, jsonPath: string): StructuralSchema | undefined {
  return jsonPath
    .split('.')
    .slice(1)
    .reduce<StructuralSchema | undefined>((node, name) => node?.properties?.[name], root);
}

const isNode = (value: unknown): value is Node & StructuralSchema => typeof value === 'object' && value !== null;
