/**
 * Errors with a code, a cause and a fate.
 *
 * Every error of ours is a {@link PlatformError}: its `code` comes from a closed list of its module, stands first in the message, and
 * decides what happens next. What is no PlatformError is a bug or a foreign error.
 */
export class PlatformError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Trying again cannot help until an input changes: never retried, always shown (a condition, an event, a log line). */
export class TerminalError extends PlatformError<'terminal'> {
  constructor(message: string, options?: ErrorOptions) {
    super('terminal', message, options);
  }
}

/** The text of anything thrown, with the messages of its causes behind it where they say more. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : describeError(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}
