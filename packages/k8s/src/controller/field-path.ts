/** Paths into objects, as write rights name them. */

/** Names from the root down. Items of a list that is a map are named by their keys, those of other lists by their index. */
export type FieldPath = readonly string[];

/**
 * `status.conditions`, `metadata.annotations["networking.datumapis.com/upstream-status"]`, `status.conditions["Ready"]`; `*` is the
 * whole object, the path without names. Undefined when the text is no such path.
 */
export function parseFieldPath(text: string): FieldPath | undefined {
  if (text === '*') return [];
  const segment = /(?:^|(?<!^)\.)([\w-]+)|\["([^"]+)"\]/y;
  const path: string[] = [];
  while (segment.lastIndex < text.length) {
    const [, plain, quoted] = segment.exec(text) ?? [];
    const name = plain ?? (path.length > 0 ? quoted : undefined);
    if (name === undefined) return undefined;
    path.push(name);
  }
  return path.length > 0 ? path : undefined;
}

/** The text that {@link parseFieldPath} reads. */
export function formatFieldPath(path: FieldPath): string {
  const text = path.map((name) => (/^[\w-]+$/.test(name) ? `.${name}` : `["${name}"]`)).join('');
  return path.length === 0 ? '*' : text.replace(/^\./, '');
}

/** Whether `path` is `ancestor`, or lies below it. */
export function isWithin(path: FieldPath, ancestor: FieldPath): boolean {
  for (let i = 0; i < ancestor.length; i++) if (path[i] !== ancestor[i]) return false;
  return true;
}
