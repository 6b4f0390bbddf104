/** Paths of a resource, and what may be asked there. kubectl reads from them what a server supports. */
import type { JsonObject } from '@lifeline/core';
import { apiVersionOf, type Resource, type Verb } from '../../resources/resource.ts';
import { type Subresource, subresourcesOf, toldVerbs } from '../groups.ts';
import { reference } from './envelope.ts';
import { deleteOptions, patch, scale, schemaName, status } from './schemas.ts';

const query = (name: string, description: string, type = 'string'): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const inPath = (name: string, description: string): JsonObject => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const dryRun = query('dryRun', 'All: go through everything but the write.');
const fieldManager = query('fieldManager', 'Who makes the change.');
const fieldValidation = query(
  'fieldValidation',
  'What becomes of unknown and duplicate fields: Ignore, Warn or Strict.',
);
const force = query('force', 'Of an apply: fields that others own change hands.', 'boolean');
const writeParameters = [dryRun, fieldManager, fieldValidation];

const selection = [
  query('continue', 'Where the next page starts.'),
  query('fieldSelector', 'Which objects, by their fields.'),
  query('labelSelector', 'Which objects, by their labels.'),
  query('limit', 'How many objects at most.', 'integer'),
  query('resourceVersion', 'As of when.'),
  query('resourceVersionMatch', 'How the resourceVersion is meant.'),
  query('sendInitialEvents', 'Whether a watch begins with all that is there.', 'boolean'),
  query('timeoutSeconds', 'How long at most.', 'integer'),
];
const listParameters = [
  query('allowWatchBookmarks', 'Whether a watch may tell how far it is.', 'boolean'),
  ...selection,
  query('watch', 'Whether to follow what changes.', 'boolean'),
];
const deleteParameters = [
  dryRun,
  query('gracePeriodSeconds', 'How long the object may take to go.', 'integer'),
  query('orphanDependents', 'Superseded by propagationPolicy.', 'boolean'),
  query('propagationPolicy', 'What becomes of what the object owns: Orphan, Background or Foreground.'),
];

const content = (name: string, ...types: readonly string[]): JsonObject => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: reference(name) }])),
});

const answers = (name: string, codes: readonly number[] = [200]): JsonObject =>
  Object.fromEntries(
    codes.map((code) => [
      String(code),
      { description: 'Done.', ...content(name, 'application/json', 'application/yaml') },
    ]),
  );

/** What all operations on one kind have. */
interface Target {
  readonly gvk: JsonObject;
  /** Of what is sent and answered. */
  readonly name: string;
  readonly listName: string;
  readonly strategic: boolean;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

function operation(verb: Verb, { gvk, name, listName, strategic }: Target): readonly [Method, JsonObject] {
  const common = (action: string): JsonObject => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  });
  const body = (schema: string, ...types: readonly string[]): JsonObject => ({
    requestBody: { ...content(schema, ...types), required: true },
  });
  switch (verb) {
    case 'get':
      return ['get', { responses: answers(name), ...common('get') }];
    case 'list':
    case 'watch':
      return ['get', { parameters: listParameters, responses: answers(listName), ...common('list') }];
    case 'create': {
      const parameters = writeParameters;
      return [
        'post',
        { parameters, ...body(name, '*/*'), responses: answers(name, [200, 201, 202]), ...common('post') },
      ];
    }
    case 'update': {
      const parameters = writeParameters;
      return ['put', { parameters, ...body(name, '*/*'), responses: answers(name, [200, 201]), ...common('put') }];
    }
    case 'patch': {
      const types = [
        'application/apply-patch+yaml',
        'application/json-patch+json',
        'application/merge-patch+json',
        ...(strategic ? ['application/strategic-merge-patch+json'] : []),
      ];
      const parameters = [...writeParameters, force];
      return ['patch', { parameters, ...body(patch, ...types), responses: answers(name), ...common('patch') }];
    }
    case 'delete': {
      const optional = { requestBody: content(deleteOptions, '*/*') };
      return ['delete', { parameters: deleteParameters, ...optional, responses: answers(status), ...common('delete') }];
    }
    case 'deletecollection': {
      const parameters = [...deleteParameters, ...selection];
      return ['delete', { parameters, responses: answers(status), ...common('deletecollection') }];
    }
  }
}

function pathItem(verbs: readonly Verb[], target: Target, parameters: readonly JsonObject[]): JsonObject {
  return { ...Object.fromEntries(verbs.map((verb) => operation(verb, target))), parameters };
}

const pretty = query('pretty', 'Whether to answer with white space.');

/** By path. */
export function resourcePaths(resource: Resource, version: string): JsonObject {
  const { group, kind, listKind, plural, namespaced, decoding } = resource;
  const root = `/${group ? 'apis' : 'api'}/${apiVersionOf(resource, version)}`;
  const home = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const target: Target = {
    gvk: { group, version, kind },
    name: schemaName(resource, version, kind),
    listName: schemaName(resource, version, listKind),
    strategic: decoding === 'typed',
  };
  const verbs = toldVerbs(resource);
  const among = (...wanted: readonly Verb[]): readonly Verb[] => wanted.filter((verb) => verbs.includes(verb));
  const inNamespace = namespaced ? [inPath('namespace', 'Where the object is.')] : [];
  const named = [inPath('name', `The name of the ${kind}.`), ...inNamespace, pretty];
  const one = among('get', 'update', 'delete', 'patch');
  return {
    [home]: pathItem(among('list', 'create', 'deletecollection'), target, [...inNamespace, pretty]),
    ...(namespaced && verbs.includes('list') ? { [`${root}/${plural}`]: pathItem(['list'], target, [pretty]) } : {}),
    ...(one.length > 0 ? { [`${home}/{name}`]: pathItem(one, target, named) } : {}),
    ...Object.fromEntries(
      subresourcesOf(resource).map((subresource) => [
        `${home}/{name}/${subresource.name}`,
        pathItem(subresource.verbs, subresourceTarget(target, subresource), named),
      ]),
    ),
  };
}

const subresourceTarget = (target: Target, { kind, from }: Subresource): Target =>
  from ? { ...target, gvk: { ...from, kind }, name: scale } : target;
