import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { envoyRegistry } from './descriptors.ts';
import { anyName } from './forms.ts';

/** A field that is a map, or that leads to a map or to an `Any`. */
export interface MapPlace {
  readonly field: number;
  readonly isMap: boolean;
  /** The type of its value, by its place in {@link MapPlaces.types}; undefined for a map whose values have no maps in them. */
  readonly leadsTo: number | undefined;
}

/** Where maps can stand in Envoy's messages. */
export interface MapPlaces {
  /** Where the types are that an `Any` may hold, and those that a hook request lists. */
  readonly byName: ReadonlyMap<string, number>;
  /** The first is `Any`, which has no places of its own: what it holds is another type. */
  readonly types: readonly (readonly MapPlace[])[];
}

/** What is configured by other means, and never inside of an `Any` of a listener, cluster or route. */
const elsewhere = /^envoy\.config\.(?:bootstrap|metrics|overload)\./;
const named = /^(?:envoy\.(?:config|extensions)\.|xds\.type\.v3\.|google\.protobuf\.Struct$)/;

/** Everything that the descriptors say of maps; what leads to none is left out. */
export function mapPlaces(): MapPlaces {
  const messages = [...envoyRegistry()].filter((type) => type.kind === 'message');
  const leading = leadingTypes(messages);
  const roots = messages.filter(
    ({ typeName, parent }) => !parent && leading.has(typeName) && named.test(typeName) && !elsewhere.test(typeName),
  );

  const order: DescMessage[] = [];
  const places = new Map<string, number>([[anyName, 0]]);
  const place = (type: DescMessage): number => {
    let held = places.get(type.typeName);
    if (held === undefined) {
      places.set(type.typeName, (held = order.push(type)));
    }
    return held;
  };
  for (const root of roots.sort((a, b) => (a.typeName < b.typeName ? -1 : 1))) place(root);
  const types: MapPlace[][] = [[]];
  // The list grows while it is read.
  for (const { fields } of order) {
    types.push(
      fields
        .filter((field) => leads(field, leading))
        .sort((a, b) => a.number - b.number)
        .map((field) => ({
          field: field.number,
          isMap: field.fieldKind === 'map',
          leadsTo: field.message && leading.has(field.message.typeName) ? place(field.message) : undefined,
        })),
    );
  }
  return { byName: new Map(roots.map((root) => [root.typeName, place(root)])), types };
}

const leads = (field: DescField, leading: ReadonlySet<string>): boolean =>
  field.fieldKind === 'map' || (field.message !== undefined && leading.has(field.message.typeName));

/** The types that have a map, or lead to one or to an `Any`: those whose fields do, until no more are found. */
function leadingTypes(messages: readonly DescMessage[]): ReadonlySet<string> {
  const leading = new Set([anyName]);
  for (let size = 0; size < leading.size;) {
    size = leading.size;
    for (const { typeName, fields } of messages)
      if (fields.some((field) => leads(field, leading))) leading.add(typeName);
  }
  return leading;
}
