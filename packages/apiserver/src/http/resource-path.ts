/** Which resource, and what of it, a URL path names: the shape alone, whether or not it is served. */

/** `/api/v1/namespaces/a/configmaps/b`, taken apart. */
export interface ResourcePath {
  /** `''` for `/api`. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What follows the subresource: nothing that is served here has any. */
  readonly rest: readonly string[];
}

/** What lies below a namespace object is its own, everything else below it is a resource within it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** @param path decoded no further than `URL` does. Undefined: no path of a resource */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const [root, ...parts] = path.split('/').filter((part) => part !== '');
  const group = root === 'api' ? '' : root === 'apis' ? parts.shift() : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  const [plural = '', ...below] = parts.map(decode);
  const inNamespace = plural === 'namespaces' && below.length > 1 && !namespaceSubresources.has(below[1] as string);
  const namespace = inNamespace ? below[0] : undefined;
  const [resource = '', name, subresource, ...rest] = inNamespace ? below.slice(1) : [plural, ...below];
  return { group, version, plural: resource, namespace, name, subresource, rest };
}

/** A segment that is no valid escape stands for itself: it names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
