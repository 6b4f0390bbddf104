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
  /** `/api/v1/watch/configmaps`: the oldest way to ask for a watch. */
  readonly watch: boolean;
}

/** What lies below a namespace object is its own, everything else below it is a resource within it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** @param path as it is in a URL. Undefined: no path of a resource */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const [root, ...parts] = decoded(path)
    .split('/')
    .filter((part) => part !== '');
  const group = root === 'api' ? '' : root === 'apis' ? parts.shift() : undefined;
  const version = parts.shift();
  const watch = parts[0] === 'watch';
  if (watch) parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  const [first = '', ...below] = parts;
  const inNamespace = first === 'namespaces' && below.length > 1 && !namespaceSubresources.has(below[1] as string);
  const namespace = inNamespace ? below[0] : undefined;
  const [plural = '', name, subresource, ...rest] = inNamespace ? below.slice(1) : parts;
  return { group, version, plural, namespace, name, subresource, rest, watch };
}

/** Servers decode a path before they take it apart: a slash that is escaped separates, too. What is no valid escape stands for itself. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
