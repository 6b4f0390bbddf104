/** Logs of a world: the last lines are kept, and put together only when somebody reads them. */
import type { Clock, EpochMs } from '@lifeline/core';
import { createLog, type Log, type LogFields } from '@lifeline/k8s';

type Level = 'debug' | 'info' | 'warn' | 'error';

interface Line {
  readonly time: EpochMs;
  readonly level: Level;
  readonly fields: LogFields;
  readonly message: string;
}

export class RingLog {
  readonly #limit: number;
  readonly #lines: Line[] = [];
  /** Where the next line goes once the ring is full. */
  #next = 0;

  /** @param limit lines that are kept */
  constructor(limit = 200) {
    this.#limit = limit;
  }

  /** A log of one process. Lines of level `debug` are dropped. */
  log(clock: Pick<Clock, 'now'>, fields: LogFields): Log {
    const write = (level: Level) => (own: LogFields, message: string) =>
      this.#push({ time: clock.now(), level, fields: { ...fields, ...own }, message });
    return {
      debug: () => undefined,
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (more) => this.log(clock, { ...fields, ...more }),
    };
  }

  /** In order, as the real log writes them: secrets masked, objects shortened. */
  lines(): readonly string[] {
    const ordered = [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
    return ordered.map(({ time, level, fields, message }) => {
      let text = '';
      const clock = { now: () => time } as Clock;
      createLog({ clock, write: (line) => (text = line.trimEnd()) })[level](fields, message);
      return text;
    });
  }

  #push(line: Line): void {
    if (this.#lines.length < this.#limit) this.#lines.push(line);
    else {
      this.#lines[this.#next] = line;
      this.#next = (this.#next + 1) % this.#limit;
    }
  }
}
