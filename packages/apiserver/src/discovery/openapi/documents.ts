/** One OpenAPI v3 document per group and version, made when it is first asked for and shared by all servers that serve the same. */
import { type JsonObject, sha256Hex, stringifyJson } from '@lifeline/core';
import { utf8 } from '../../http/encode.ts';
import { serverVersion } from '../../http/well-known.ts';
import { apiVersionOf, type Resource } from '../../resources/resource.ts';
import type { ApiGroup, ApiVersion } from '../groups.ts';
import { resourcePaths } from './paths.ts';
import { commonSchemas, resourceSchemas } from './schemas.ts';

export interface OpenApiDocument {
  /** `api/v1`, `apis/example.com/v1` */
  readonly path: string;
  /** Changes with the content. */
  readonly hash: string;
  /** JSON. */
  bytes(): Uint8Array;
}

const byHash = new Map<string, Uint8Array>();

export function openApiDocument({ name }: ApiGroup, version: ApiVersion): OpenApiDocument {
  const path = `${name === '' ? 'api' : 'apis'}/${apiVersionOf({ group: name }, version.name)}`;
  const hash = sha256Hex([path, ...version.resources.map(identityOf)].join('\n'), 64).toUpperCase();
  return {
    path,
    hash,
    bytes: () => {
      const bytes = byHash.get(hash) ?? utf8(stringifyJson(documentOf(version)));
      byHash.set(hash, bytes);
      return bytes;
    },
  };
}

/** All that a document says of a resource, in short. */
const identityOf = (resource: Resource): string => {
  const { id, kind, listKind, namespaced, verbs, statusSubresource, scaleSubresource, terminating, schema } = resource;
  return JSON.stringify([
    [id, kind, listKind, namespaced, verbs],
    [statusSubresource, scaleSubresource !== false, terminating === true, schema.digest],
  ]);
};

const documentOf = ({ name, resources }: ApiVersion): JsonObject => ({
  openapi: '3.0.0',
  info: { title: 'Lifeline test plane', version: serverVersion.gitVersion },
  paths: merged(resources.map((resource) => resourcePaths(resource, name))),
  components: {
    schemas: merged([commonSchemas(), ...resources.map((resource) => resourceSchemas(resource, name))]),
  },
});

const merged = (objects: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
