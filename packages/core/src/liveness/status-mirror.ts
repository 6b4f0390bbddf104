/** The mirrored status: the whole upstream `.status` in an annotation, since status does not travel downstream. */
import { annotations, annotationTrue } from '../contract/annotations.ts';
import { annotationBudgetBytes, annotationBytes, utf8Bytes } from '../contract/sizes.ts';
import { canonicalJson } from '../json/canonical.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { formatMilliTime, parseTime } from '../meta/time.ts';
import type { EpochMs } from '../time.ts';
import { reducedStatuses } from './reduced-status.ts';

/** All that the mirror's annotations depend on. */
export interface MirrorInputs {
  /** Upstream `.status`, parsed losslessly. */
  readonly status: unknown;
  /** Every other annotation that the copy will have, others' included: they share one limit. */
  readonly others: Readonly<Record<string, string>>;
  /** The annotations that the copy has now, for how long its content has been known. */
  readonly present: Readonly<Record<string, string>> | null | undefined;
  readonly now: EpochMs;
}

/** What becomes of a status. */
export interface Mirror {
  /** The mirror's annotations, all of them: a key that is absent here is to be removed. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The status did not fit and is a reduced one (or, when even that did not fit, missing): to be warned about and counted. */
  readonly truncated: boolean;
}

/**
 * What the copy's mirror annotations should be.
 *
 * Guarantees: equal status and equal other annotations give equal text; the copy's annotations stay within the limit and Karmada's
 * reserve, if the others alone do; `observed-at` moves exactly when the text does.
 */
export function mirrorStatus({ status, others, present, now }: MirrorInputs): Mirror {
  if (!hasContent(status)) return { annotations: {}, truncated: false };
  const finish = (text: string | undefined, truncated: boolean): Mirror => ({
    annotations: {
      ...(text === undefined ? {} : { [annotations.upstreamStatus]: text, ...observedAt(text, present, now) }),
      ...(truncated ? { [annotations.upstreamStatusTruncated]: annotationTrue } : {}),
    },
    truncated,
  });
  const fits = (mirror: Mirror): boolean =>
    annotationBytes({ ...others, ...mirror.annotations }) <= annotationBudgetBytes;

  const whole = finish(canonicalJson(status), false);
  if (fits(whole)) return whole;
  const room = annotationBudgetBytes - annotationBytes({ ...others, ...finish('', true).annotations });
  for (const reduced of reducedStatuses(status, room)) {
    const text = canonicalJson(reduced);
    if (utf8Bytes(text) <= room) return finish(text, true);
  }
  return finish(undefined, true);
}

/** The text that carries a status whole: canonical JSON; undefined for none (absent, null, `{}`). @throws JsonError */
export const mirrorText = (status: unknown): string | undefined =>
  hasContent(status) ? canonicalJson(status) : undefined;

const hasContent = (status: unknown): status is JsonObject => isJsonObject(status) && Object.keys(status).length > 0;

function observedAt(text: string, present: MirrorInputs['present'], now: EpochMs): Readonly<Record<string, string>> {
  const before = present?.[annotations.upstreamStatusObservedAt];
  const known = present?.[annotations.upstreamStatus] === text && parseTime(before) !== undefined;
  return { [annotations.upstreamStatusObservedAt]: known ? (before as string) : formatMilliTime(now) };
}
