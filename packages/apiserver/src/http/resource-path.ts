/** Which resource, and what of it, a URL path names: the shape alone, whether or not it is served. */

/** `/api/v1/namespaces/a/configmaps/b`, taken apart. */
export interface ResourcePath {
  /** `''` for `/api`. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** `''` where there is nothing between two slashes; so is the name. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What follows the subresource: nothing that is served here has any. */
  readonly rest: readonly string[];
  /** `/api/v1/watch/configmaps`: the oldest way to ask for a watch. */
  readonly watch: boolean;
}

/** What lies below a namespace object is its own, everything else below it is a resource within it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/**
 * Slashes at the end do not count. Between two others there is a part without a letter, which is the name of nothing.
 * @param path decoded. Undefined: no path of a resource
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const [before, root, ...parts] = withoutEnd(path).split('/');
  const group = root === 'api' ? '' : root === 'apis' ? parts.shift() || undefined : undefined;
  const version = parts.shift();
  const watch = parts[0] === 'watch';
  if (watch) parts.shift();
  if (before !== '' || group === undefined || version === undefined || parts.length === 0) return undefined;
  const [first, ...below] = parts;
  const inNamespace = first === 'namespaces' && below.length > 1 && !namespaceSubresources.has(below[1] as string);
  const namespace = inNamespace ? below[0] : undefined;
  const [plural = '', name, subresource, ...rest] = inNamespace ? below.slice(1) : parts;
  return { group, version, plural, namespace, name, subresource, rest, watch };
}

/** A path without the slashes at its end. */
export const withoutEnd = (path: string): string => path.replace(/\/+$/, '');
