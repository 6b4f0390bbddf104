/** How much fits into the annotations of one object. */

/**
 * Keys and values of all annotations of an object, in UTF-8 bytes; one byte more and every write of the object is refused.
 * @see kubernetes/kubernetes@b5ba7bc4f staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go, TotalAnnotationSizeLimitB
 */
export const annotationLimitBytes = 262_144;

/** Left free on hub objects: Karmada adds its own annotations on the way to a member, and a full object is refused there. */
export const karmadaReserveBytes = 16_384;

/** What an object may hold when it leaves us. */
export const annotationBudgetBytes = annotationLimitBytes - karmadaReserveBytes;

/** Length in UTF-8. A lone surrogate counts as the replacement character that it is sent as. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** What an object's annotations weigh, as the API server counts them. */
export const annotationBytes = (annotations: Readonly<Record<string, string>> | null | undefined): number =>
  Object.entries(annotations ?? {}).reduce((sum, [key, value]) => sum + utf8Bytes(key) + utf8Bytes(value), 0);
