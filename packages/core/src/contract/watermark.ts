/**
 * The watermark: how far the replicators are, told to every edge by a ConfigMap that travels like any copy.
 *
 * Each replica merge-patches the keys of the shards it holds. An edge judges age by when it saw a beat change, never by `at`.
 */
import { z } from 'zod';
import { compareTexts } from '../compare-texts.ts';
import { parseJson } from '../json/parse.ts';

/** The key with the number of shards. */
export const watermarkShardsKey = 'shards';

/** The key of one shard. */
export const watermarkKey = (shard: number): string => `shard-${shard}`;

/** Projects named at most; `behindCount` counts all of them. */
export const watermarkBehindLimit = 20;

const entrySchema = z.looseObject({
  beat: z.number().int().nonnegative(),
  at: z.string(),
  behind: z.array(z.looseObject({ project: z.string(), since: z.string() })),
  behindCount: z.number().int().nonnegative(),
});

/** One shard's word: `beat` rises with each write, `at` and `since` are RFC 3339. */
export interface WatermarkEntry {
  readonly beat: number;
  readonly at: string;
  readonly behind: readonly { readonly project: string; readonly since: string }[];
  readonly behindCount: number;
}

/** The text of one key. Of more than {@link watermarkBehindLimit} projects the ones behind for longest are named. */
export function watermarkText({ beat, at, behind }: Omit<WatermarkEntry, 'behindCount'>): string {
  const named = behind
    .toSorted((a, b) => compareTexts(a.since, b.since) || compareTexts(a.project, b.project))
    .slice(0, watermarkBehindLimit)
    .map(({ project, since }) => ({ project, since }));
  return JSON.stringify({ beat, at, behind: named, behindCount: behind.length });
}

/** The entries of a watermark's data, by shard. A shard that has no readable entry is absent: its age is unknown. */
export function parseWatermark(
  data: Readonly<Record<string, string>> | null | undefined,
): ReadonlyMap<number, WatermarkEntry> {
  const shards = Number(data?.[watermarkShardsKey]);
  const entries = new Map<number, WatermarkEntry>();
  if (!Number.isSafeInteger(shards) || shards > 4096) return entries;
  for (let shard = 0; shard < shards; shard++) {
    const entry = parseEntry(data?.[watermarkKey(shard)]);
    if (entry) entries.set(shard, entry);
  }
  return entries;
}

function parseEntry(text: string | undefined): WatermarkEntry | undefined {
  if (text === undefined) return undefined;
  try {
    return entrySchema.parse(parseJson(text));
  } catch {
    return undefined;
  }
}
