/** Whether a domain stands twice, which is asked of every RouteConfiguration and nearly never so: without decoding any. */
import { Cursor } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import { virtualHost } from './envoy-fields.ts';
import { SliceTable } from './slice-table.ts';

/** Used again for each RouteConfiguration. */
export class DomainSet {
  /** Domains are compared as Envoy does: without the case of ASCII letters. */
  readonly #domains = new SliceTable({ hash: hashDomain, isEqual: isSameDomain });
  readonly #cursor = new Cursor(new Uint8Array());

  hasDuplicates(virtualHosts: Iterable<Slice>): boolean {
    this.#domains.clear();
    for (const part of virtualHosts) {
      const cursor = this.#cursor.aim(part);
      while (cursor.next()) {
        const { size } = this.#domains;
        if (cursor.isBytes(virtualHost.domains) && this.#domains.add(cursor) < size) return true;
      }
    }
    return false;
  }
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/** FNV-1a. */
function hashDomain({ bytes, from, to }: Slice): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ lower(bytes[at] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isSameDomain(one: Slice, other: Slice): boolean {
  const length = one.to - one.from;
  if (length !== other.to - other.from) return false;
  for (let i = 0; i < length; i++) {
    if (lower(one.bytes[one.from + i] as number) !== lower(other.bytes[other.from + i] as number)) return false;
  }
  return true;
}
