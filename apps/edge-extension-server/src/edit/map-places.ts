/** Where maps can stand in Envoy's messages: what must be known to find them among bytes. */
import { encodeText, equalBytes, sliceOf, type Slice } from '../wire/text.ts';
import { names, types } from './gen/map-places.ts';
import { hashBytes } from './hash-bytes.ts';

/** A message type that has maps in it, or an `Any`. */
export interface PlaceType {
  /** What is in it stands under its type URL. */
  readonly isAny: boolean;
  /** Whether an `Any` can be found in it. */
  readonly hasAny: boolean;
  /** By field number, the fields that are maps or lead to one. */
  readonly places: readonly (Place | undefined)[];
}

export interface Place {
  readonly isMap: boolean;
  /** Undefined for a map whose values have none in them. */
  readonly leadsTo: PlaceType | undefined;
}

interface Unlinked {
  readonly isAny: boolean;
  hasAny: boolean;
  readonly places: Place[];
}

const linked = link();

function link(): readonly PlaceType[] {
  const all: Unlinked[] = types.map((_, index) => ({ isAny: index === 0, hasAny: index === 0, places: [] }));
  for (const [index, numbers] of types.entries()) {
    const { places } = all[index] as Unlinked;
    for (let at = 0; at < numbers.length; at += 3) {
      const [field = 0, isMap, leadsTo = -1] = numbers.slice(at, at + 3);
      places[field] = { isMap: isMap === 1, leadsTo: all[leadsTo] };
    }
  }
  for (let grew = true; grew;) {
    grew = false;
    for (const type of all) {
      if (type.hasAny || !type.places.some((place) => place.leadsTo?.hasAny)) continue;
      grew = type.hasAny = true;
    }
  }
  return all;
}

/** The type of this full name. @throws RangeError when there is none */
export function placeType(name: string): PlaceType {
  const found = linked[names[name] ?? -1];
  if (!found) throw new RangeError(name);
  return found;
}

interface Named {
  readonly url: Uint8Array;
  readonly type: PlaceType;
}

/** By the hash of what type URLs end in, where they differ: an `Any` is looked up without decoding its URL. */
const byUrl = new Map<number, Named[]>();
for (const name of Object.keys(names)) {
  const url = encodeText(`type.googleapis.com/${name}`);
  const hash = hashOfEnd(sliceOf(url));
  byUrl.set(hash, [...(byUrl.get(hash) ?? []), { url, type: placeType(name) }]);
}

function hashOfEnd({ bytes, from, to }: Slice): number {
  return hashBytes({ bytes, from: Math.max(from, to - 16), to });
}

/** The type behind a type URL; undefined for one without maps, or that nobody knows. */
export function placeTypeOf(url: Slice): PlaceType | undefined {
  const named = byUrl.get(hashOfEnd(url));
  if (named) for (const each of named) if (equalBytes(url, each.url)) return each.type;
  return undefined;
}
