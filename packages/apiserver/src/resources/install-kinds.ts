/** Kinds that a plane has from its start, as their CustomResourceDefinitions. */
import { deepFreeze, formatTime, type Kind, thirdPartyKinds } from '@lifeline/core';
import { customResourceDefinition } from '@lifeline/core/crd';
import type { Server } from '../server-parts.ts';
import { type StoredObject, withMetadata } from './resource.ts';

const definitions = new WeakMap<Kind, StoredObject>();

/** Without what differs from plane to plane: its large parts are shared by all that install it. */
function definitionOf(kind: Kind): StoredObject {
  let definition = definitions.get(kind);
  if (!definition) {
    const open = thirdPartyKinds.includes(kind);
    definition = deepFreeze(customResourceDefinition(kind, { open }) as unknown as StoredObject);
    definitions.set(kind, definition);
  }
  return definition;
}

/** Stores the definitions of the kinds that are not built in. */
export function installKinds({ clock, random, store, resources }: Server, kinds: readonly Kind[]): void {
  const creationTimestamp = formatTime(clock.now());
  for (const kind of kinds) {
    if (resources.byKind(kind.group, kind.kind)) continue;
    const fields = { uid: random.uuid(), generation: 1, creationTimestamp };
    store.put('customresourcedefinitions.apiextensions.k8s.io', withMetadata(definitionOf(kind), fields), undefined);
  }
}
