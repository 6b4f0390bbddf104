/** What an API server serves. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { at, itemsAt, type ServedKind, textAt } from '../manifest.ts';
import type { Plane } from '../runtime/plane.ts';

/** A kind with what may be done to its objects. */
export interface Discovered extends ServedKind {
  readonly verbs: readonly string[];
  /** It is the first of its group's versions that serves the kind. */
  readonly preferred: boolean;
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Kinds in every version, subresources left out. @throws when one of the documents does not come */
export async function discover(plane: Plane, signal: AbortSignal): Promise<readonly Discovered[]> {
  const found: Discovered[] = [];
  for (const root of ['/api', '/apis']) {
    const document = await get(plane, root, signal);
    found.push(
      ...(at(document, 'kind') === 'APIGroupDiscoveryList'
        ? inGroups(document)
        : await inVersions(plane, document, signal)),
    );
  }
  return found;
}

/** One document for all. */
function inGroups(document: JsonValue): Discovered[] {
  return list(document, 'items').flatMap((item) => {
    const group = textAt(item, 'metadata', 'name');
    const seen = new Set<string>();
    return list(item, 'versions').flatMap((entry) =>
      list(entry, 'resources').map((resource) => {
        const kind = textAt(resource, 'responseKind', 'kind');
        const preferred = !seen.has(kind);
        seen.add(kind);
        return {
          group,
          version: textAt(entry, 'version'),
          kind,
          plural: textAt(resource, 'resource'),
          namespaced: textAt(resource, 'scope') === 'Namespaced',
          verbs: strings(resource, 'verbs'),
          preferred,
        };
      }),
    );
  });
}

/** A document for each version, as every server has them. */
async function inVersions(plane: Plane, document: JsonValue, signal: AbortSignal): Promise<Discovered[]> {
  const groups = isJsonArray(at(document, 'groups'))
    ? list(document, 'groups').map((group) => ({
        group: textAt(group, 'name'),
        versions: list(group, 'versions').map((version) => textAt(version, 'version')),
      }))
    : [{ group: '', versions: strings(document, 'versions') }];
  const found: Discovered[] = [];
  for (const { group, versions } of groups) {
    const seen = new Set<string>();
    for (const version of versions) {
      const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
      for (const resource of list(await get(plane, path, signal), 'resources')) {
        const plural = textAt(resource, 'name');
        if (plural.includes('/')) continue;
        const kind = textAt(resource, 'kind');
        const preferred = !seen.has(kind);
        seen.add(kind);
        found.push({
          group,
          version,
          kind,
          plural,
          namespaced: resource['namespaced'] === true,
          verbs: strings(resource, 'verbs'),
          preferred,
        });
      }
    }
  }
  return found;
}

async function get(plane: Plane, path: string, signal: AbortSignal): Promise<JsonValue> {
  const { status, body } = await plane.ask(path, signal, aggregated);
  if (status !== 200 || body === undefined) throw new Error(`discovery of ${path}: ${status}`);
  return body;
}

const list = (value: JsonValue, key: string): readonly JsonObject[] => itemsAt(value, key).filter(isJsonObject);

const strings = (value: JsonValue, key: string): readonly string[] =>
  itemsAt(value, key).filter((item) => typeof item === 'string');
