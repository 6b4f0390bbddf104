/** Kinds that a plane has from its start, as their CustomResourceDefinitions. */
import { deepFreeze, formatTime, type Kind, thirdPartyKinds } from '@lifeline/core';
import { customResourceDefinition } from '@lifeline/core/crd';
import type { Server } from '../server-parts.ts';
import { withDefaults } from './crd-strategy.ts';
import { definitionsId } from './custom-resources.ts';
import { decideStatus } from './crd/decide-status.ts';
import { asDefinition, asObject, type Definition } from './crd/definition.ts';
import { type StoredObject, withMetadata } from './resource.ts';

const definitions = new WeakMap<Kind, Definition>();

/** Without what differs from plane to plane: its large parts are shared by all that install it. */
function definitionOf(kind: Kind): Definition {
  let definition = definitions.get(kind);
  if (!definition) {
    const open = thirdPartyKinds.includes(kind);
    const sent = customResourceDefinition(kind, { open }) as unknown as StoredObject;
    definition = deepFreeze(withDefaults(asDefinition(sent)));
    definitions.set(kind, definition);
  }
  return definition;
}

/** Stores the definitions of the kinds that are not built in, each established. */
export function installKinds({ clock, random, store, resources }: Server, kinds: readonly Kind[]): void {
  const now = formatTime(clock.now());
  for (const kind of kinds) {
    if (resources.byKind(kind.group, kind.kind)) continue;
    const fields = { uid: random.uuid(), generation: 1, creationTimestamp: now };
    store.put(definitionsId, withMetadata(asObject(established(definitionOf(kind), now)), fields), undefined);
  }
}

/** As of the second for which it was last asked: planes of one world start together. */
const lastEstablished = new WeakMap<Definition, { readonly now: string; readonly definition: Definition }>();

/** As if its names had been accepted and it been installed, all in the second in which it came. */
function established(definition: Definition, now: string): Definition {
  const last = lastEstablished.get(definition);
  if (last?.now === now) return last.definition;
  const stored = definition.spec.versions?.filter(({ storage }) => storage).map(({ name }) => name) ?? [];
  let at: Definition = { ...definition, status: { storedVersions: stored } };
  for (let next: Definition | undefined = at; next; next = decideStatus(at, { others: () => [], now })) at = next;
  lastEstablished.set(definition, { now, definition: deepFreeze(at) });
  return at;
}
