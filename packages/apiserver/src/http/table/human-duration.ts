/** How kubectl writes ages. @see kubernetes/apimachinery@v0.36.3 pkg/util/duration/duration.go */
import { type DurationMs, type EpochMs, epochMsOf, parseTime } from '@lifeline/core';

/** The age of what a time says, `<unknown>` without one. */
export function ageOf(time: string | null | undefined, now: EpochMs): string {
  if (time === null || time === undefined || time === '') return '<unknown>';
  const at = parseTime(time);
  return at === undefined ? '<invalid>' : humanDuration(now - epochMsOf(at));
}

/** Two or three figures: `45s`, `5m10s`, `3h`, `2d4h`, `3y12d`. Two seconds in the future count as now. */
export function humanDuration(ms: DurationMs): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair([minutes, 'm'], [seconds % 60, 's']);
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair([hours, 'h'], [minutes % 60, 'm']);
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return pair([days, 'd'], [hours % 24, 'h']);
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? pair([years, 'y'], [days % 365, 'd']) : `${years}y`;
}

type Count = readonly [number, string];

const pair = ([large, unit]: Count, [small, smallUnit]: Count): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;
