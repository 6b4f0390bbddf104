import { type DescField, fromBinary, toBinary } from '@bufbuild/protobuf';
import { reflect, type ReflectList, type ReflectMap, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Any } from '@bufbuild/protobuf/wkt';
import { envoyRegistry, messageType } from '../descriptors.ts';
import { anyName, typeNameOf } from '../forms.ts';

/**
 * The same message with the entries of each of its maps in another order, inside of `Any`s too: as Envoy Gateway, which writes maps in
 * random order, sends it another time. Fields stand in the order of their numbers.
 * @param shuffled the same items in another order
 */
export function withMapsShuffled(
  typeName: string,
  bytes: Uint8Array,
  shuffled: <T>(items: readonly T[]) => T[],
): Uint8Array<ArrayBuffer> {
  const desc = messageType(typeName);
  const message = fromBinary(desc, bytes);
  visit(reflect(desc, message), {
    map(map) {
      const entries = shuffled([...map]);
      map.clear();
      for (const [key, value] of entries) map.set(key, value);
    },
  });
  return toBinary(desc, message);
}

/** Where maps inside of `Any`s have keys that are not in the order of their UTF-8 bytes: each map's keys as they come. */
export function mapsOutOfOrder(typeName: string, bytes: Uint8Array): string[][] {
  const desc = messageType(typeName);
  const found: string[][] = [];
  visit(reflect(desc, fromBinary(desc, bytes)), {
    map(map, inAny) {
      const keys = [...map.keys()].map(String);
      const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      if (inAny && keys.some((key, i) => key !== sorted[i])) found.push(keys);
    },
  });
  return found;
}

interface Visitor {
  map(map: ReflectMap, inAny: boolean): void;
}

function visit(reflected: ReflectMessage, visitor: Visitor, inAny = false): void {
  if (reflected.desc.typeName === anyName) return visitAny(reflected.message as Any, visitor);
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue;
    const value: unknown = reflected.get(field);
    for (const inner of messagesIn(field, value)) {
      visit(inner, visitor, inAny);
      // A Struct is held as JSON, of which its message is a copy.
      if (field.fieldKind === 'message') reflected.set(field, inner);
    }
    if (field.fieldKind === 'map') visitor.map(value as ReflectMap, inAny);
  }
}

function visitAny(any: Any, visitor: Visitor): void {
  const desc = envoyRegistry().getMessage(typeNameOf(any.typeUrl));
  if (!desc) return;
  const inner = fromBinary(desc, any.value);
  visit(reflect(desc, inner), visitor, true);
  any.value = toBinary(desc, inner);
}

function messagesIn(field: DescField, value: unknown): ReflectMessage[] {
  if (!field.message) return [];
  switch (field.fieldKind) {
    case 'list':
      return [...(value as ReflectList<ReflectMessage>)];
    case 'map':
      return [...(value as ReflectMap<unknown, ReflectMessage>).values()];
    case 'message':
      return [value as ReflectMessage];
  }
}
