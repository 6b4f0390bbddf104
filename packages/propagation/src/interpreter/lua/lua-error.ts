import { PlatformError } from '@lifeline/core';

/** A script that does not compile, fails, runs too long or returns what is no JSON. */
export class LuaError extends PlatformError<'lua'> {
  constructor(message: string) {
    super('lua', message);
  }
}
