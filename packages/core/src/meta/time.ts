/**
 * RFC 3339 times, as Kubernetes reads and writes them, to the microsecond.
 *
 * Read like Go's `time.RFC3339` layout: upper-case `T` and `Z`, an offset or `Z`, no leap second. Everything in the API server that
 * takes a time takes these.
 */
import { PlatformError } from '../errors.ts';
import { type EpochMs, epochMs } from '../time.ts';

declare const wallMicros: unique symbol;

/** Microseconds since the Unix epoch, as some machine's wall clock showed them. Compare with `<`, `===`. */
export type EpochMicros = bigint & { readonly [wallMicros]: true };

/** A time outside the years 0000–9999 has no RFC 3339 text. */
export class TimeError extends PlatformError<'time-out-of-range'> {
  constructor(message: string, options?: ErrorOptions) {
    super('time-out-of-range', message, options);
  }
}

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The instant that `text` names, or undefined when it is no RFC 3339 time. Digits behind the microsecond are cut off. */
export function parseTime(text: unknown): EpochMicros | undefined {
  const match = typeof text === 'string' ? rfc3339.exec(text) : null;
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const date = new Date(0);
  // setUTCFullYear, not Date.UTC: the latter takes the years 0–99 for 1900–1999, and Go's zero time is in the year 1.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const offset = sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const seconds = date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return (BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))) as EpochMicros;
}

/** The instant of a wall clock reading; fractions of a millisecond count. @throws TimeError when it is no finite number */
export function epochMicrosOf(at: EpochMs): EpochMicros {
  if (!Number.isFinite(at)) throw new TimeError(`${at} is no time`);
  const ms = Math.floor(at);
  return (BigInt(ms) * 1000n + BigInt(Math.floor((at - ms) * 1000))) as EpochMicros;
}

/** The reading a wall clock in milliseconds shows at that instant. */
export const epochMsOf = (at: EpochMicros): EpochMs => epochMs(Number(floorDiv(at, 1000n)));

/** `metav1.Time`: `2026-01-01T00:00:05Z`. What is below the second is cut off. @throws TimeError */
export const formatTime = (at: EpochMs | EpochMicros): string => `${clockText(at)}Z`;

/** Three digits: `2026-01-01T00:00:05.123Z`. Not for Leases. @throws TimeError */
export const formatMilliTime = (at: EpochMs | EpochMicros): string =>
  `${clockText(at)}.${fractionText(at).slice(0, 3)}Z`;

/**
 * `metav1.MicroTime`: `2026-01-01T00:00:05.123456Z`. Exactly six digits: the API server refuses a Lease or an Event with three.
 * @throws TimeError
 */
export const formatMicroTime = (at: EpochMs | EpochMicros): string => `${clockText(at)}.${fractionText(at)}Z`;

/** Whether two texts name the same instant, to the microsecond; false when either names none. */
export function sameTime(a: unknown, b: unknown): boolean {
  const left = parseTime(a);
  return left !== undefined && left === parseTime(b);
}

const micros = (at: EpochMs | EpochMicros): bigint => (typeof at === 'bigint' ? at : epochMicrosOf(at));

const fractionText = (at: EpochMs | EpochMicros): string =>
  String(micros(at) - floorDiv(micros(at), 1_000_000n) * 1_000_000n).padStart(6, '0');

/** Date and time to the second, without the zone. */
function clockText(at: EpochMs | EpochMicros): string {
  const date = new Date(Number(floorDiv(micros(at), 1_000_000n)) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new TimeError(`${at} has no RFC 3339 text`);
  return date.toISOString().slice(0, 19);
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
