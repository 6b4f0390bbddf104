/** Spans of time as tests say them. */
import type { DurationMs } from '@lifeline/core';

export const seconds = (count: number): DurationMs => count * 1_000;
export const minutes = (count: number): DurationMs => count * 60_000;
