/** JSON pointers (RFC 6901): `/metadata/annotations/a~1b`. */

/** The pointer to a member or item: `jsonPointer('metadata', 'annotations', 'a/b')`. Without tokens it points to the whole document. */
export const jsonPointer = (...tokens: readonly (string | number)[]): string =>
  tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The tokens of a pointer, or undefined when it is none: it must be empty or start with `/`, and `~` must be `~0` or `~1`. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
