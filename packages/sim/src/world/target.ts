/** The object that a request is about, read off its path. */
import { allKinds, type Kind, type ObjectName } from '@lifeline/core';
import { pathOf, type Sent } from './record.ts';

export interface Target {
  readonly kind: Kind;
  readonly name: ObjectName;
  readonly subresource: string | undefined;
}

const byPlural = new Map(allKinds.map((kind) => [`${kind.plural}.${kind.group}`, kind]));

const objectPath =
  /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/[^/]+\/[^/]))?\/([^/]+)\/([^/]+)(?:\/(status|scale|finalize))?$/;

/** Undefined: about many, or of a kind that is not ours to know. */
export function targetOf({ request }: Pick<Sent, 'request'>): Target | undefined {
  const [, group = '', namespace, plural = '', name = '', subresource] =
    objectPath.exec(pathOf(request.url).replace(/\?.*/, '')) ?? [];
  const kind = byPlural.get(`${plural}.${group}`);
  return kind && { kind, name: { namespace, name: decodeURIComponent(name) }, subresource };
}
