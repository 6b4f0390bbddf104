const limit = 30;

/** The beginning of a body, for people; in hex where it does not look like JSON. */
export function bodySummary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.subarray(0, limit));
  const text = bytes[0] === 0x7b ? start.toString('utf8') : start.toString('hex');
  return bytes.length > limit ? `${text} ...` : text;
}
