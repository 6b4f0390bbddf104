/** Times as Go reads them for Kubernetes: which texts it takes, and what it says of the others. */
import { goQuote } from '../go-text.ts';

/** The layouts of `metav1.Time` and `metav1.MicroTime`, as Go's messages show them. */
const layouts = {
  Time: '2006-01-02T15:04:05Z07:00',
  MicroTime: '2006-01-02T15:04:05.000000Z07:00',
};

/** A text that is written back as it is. Days above the 28th take the long way. */
const canonical = {
  Time: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/,
  MicroTime: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/,
};

const zeroTime = '0001-01-01T00:00:00';

export type GoTime = { readonly text: string | null } | { readonly error: string };

/**
 * The time that a text names, as Go writes it back: in UTC, to the second (`Time`) or with six digits (`MicroTime`); null for Go's zero
 * time. Else Go's complaint.
 * @see golang/go@go1.26 src/time/format.go parse
 */
export function goTime(kind: 'Time' | 'MicroTime', text: string): GoTime {
  if (canonical[kind].test(text) && !text.startsWith(zeroTime)) return { text };
  const parser = new TimeParser(text, layouts[kind]);
  try {
    return { text: parser.parse(kind === 'MicroTime') };
  } catch (error) {
    if (error instanceof Unparsable) return { error: error.message };
    throw error;
  }
}

class Unparsable extends Error {}

/** One run over one text, element by element of the layout. */
class TimeParser {
  readonly #whole: string;
  readonly #layout: string;
  #rest: string;

  constructor(whole: string, layout: string) {
    this.#whole = whole;
    this.#layout = layout;
    this.#rest = whole;
  }

  parse(micros: boolean): string | null {
    const year = this.#digits(4, '2006');
    this.#literal('-');
    const month = this.#number('01', { name: 'month', min: 1, max: 12 });
    this.#literal('-');
    const day = this.#number('02', { name: 'day', min: 0, max: 99 });
    this.#literal('T');
    const hour = this.#number('15', { name: 'hour', min: 0, max: 23 });
    this.#literal(':');
    const minute = this.#number('04', { name: 'minute', min: 0, max: 59 });
    this.#literal(':');
    const second = this.#number('05', { name: 'second', min: 0, max: 59 });
    const fraction = micros ? this.#micros() : this.#anyFraction();
    const offsetMinutes = this.#zone();
    if (this.#rest !== '') throw this.#wrong(`extra text: ${goQuote(this.#rest)}`);

    const date = new Date(0);
    // Not Date.UTC: it takes the years 0 to 99 for others.
    date.setUTCFullYear(year, month - 1, day);
    if (day < 1 || date.getUTCMonth() !== month - 1) throw this.#wrong('day out of range');
    date.setUTCHours(hour, minute - offsetMinutes, second);
    const seconds = date.toISOString().slice(0, 19);
    if (seconds === zeroTime && /^0*$/.test(fraction)) return null;
    return micros ? `${seconds}.${fraction}Z` : `${seconds}Z`;
  }

  #wrong(what: string): Unparsable {
    return new Unparsable(`parsing time ${goQuote(this.#whole)}: ${what}`);
  }

  #cannot(element: string, at = this.#rest): Unparsable {
    const layout = `parsing time ${goQuote(this.#whole)} as ${goQuote(this.#layout)}`;
    return new Unparsable(`${layout}: cannot parse ${goQuote(at)} as ${goQuote(element)}`);
  }

  #take(pattern: RegExp, element: string): string {
    const found = pattern.exec(this.#rest)?.[0];
    if (found === undefined) throw this.#cannot(element);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #literal(text: string): void {
    if (!this.#rest.startsWith(text)) throw this.#cannot(text);
    this.#rest = this.#rest.slice(text.length);
  }

  #digits(count: number, element: string): number {
    return Number(this.#take(new RegExp(`^\\d{${count}}`), element));
  }

  /** Two digits; the hour is content with one. */
  #number(element: string, { name, min, max }: { name: string; min: number; max: number }): number {
    const value = Number(this.#take(element === '15' ? /^\d\d?/ : /^\d\d/, element));
    if (value < min || value > max) throw this.#wrong(`${name} out of range`);
    return value;
  }

  #micros(): string {
    return this.#take(/^[.,]\d{6}/, '.000000').slice(1);
  }

  /** Seconds may have a fraction though the layout has none. */
  #anyFraction(): string {
    const found = /^[.,]\d+/.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(found.length);
    return found.slice(1);
  }

  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const text = this.#take(/^[+-]\d\d:\d\d/, 'Z07:00');
    const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
    // Go lets 24:60 pass.
    if (hours > 24) throw this.#wrong('time zone offset hour out of range');
    if (minutes > 60) throw this.#wrong('time zone offset minute out of range');
    return (hours * 60 + minutes) * (text.startsWith('-') ? -1 : 1);
  }
}
