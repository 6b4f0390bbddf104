/** Brings one object to one member, as its Work has it, or takes it away. */
import { type Kind, keyOf, type Work } from '@lifeline/core';
import { manifestIn } from '../binding/work-of.ts';
import type { Member } from '../cluster/member.ts';
import { type KindName, kindName, labelOf, type Manifest } from '../manifest.ts';
import { throughConflicts } from '../runtime/conflicts.ts';
import type { Run } from '../runtime/run.ts';
import { annotations, labels } from '../words.ts';
import { looksForeign, versionOf } from './drift.ts';
import { overwrites, withoutKarmada } from './preserve.ts';
import { differs, replacement } from './retain.ts';

/** The member's cache has not listed the kind yet: nothing was tried. */
export class NotSyncedError extends Error {}

export class Applier {
  readonly #run: Run;
  /** What each object was after our last write, by member, kind and key. */
  readonly #written = new Map<string, string>();

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Rules 13 to 16: creates the object, replaces it, or finds that there is nothing to do.
   * @throws Error when it is somebody else's; KubeError as the member says; {@link NotSyncedError}
   */
  async apply(work: Work, member: Member, signal: AbortSignal): Promise<void> {
    const desired = manifestIn(work);
    if (!desired) return;
    const kind = this.#kindOf(desired);
    await throughConflicts(() => this.#applyOnce(desired, { kind, member }, signal), this.#run.clock, signal);
  }

  /** Rule 25: what the cache does not show counts as gone, and what has lost our label is not ours to delete. */
  async remove(work: Work, member: Member, signal: AbortSignal): Promise<void> {
    const desired = manifestIn(work);
    if (!desired) return;
    const kind = this.#kindOf(desired);
    const seen = member.see(kind, keyOf(desired));
    if (seen.at === 'unknown') throw new NotSyncedError(`${kind.id} of ${member.name} has not been listed yet`);
    this.#written.delete(record(member, desired));
    if (seen.at === 'absent' || !isManaged(seen.object)) return;
    await member.plane.deleteByName(kind, desired.metadata, signal);
  }

  /** Rule 27. @throws Error when the object is not there */
  async release(work: Work, member: Member, signal: AbortSignal): Promise<void> {
    const desired = manifestIn(work);
    if (!desired) return;
    const kind = this.#kindOf(desired);
    const seen = member.see(kind, keyOf(desired));
    if (seen.at !== 'present') throw new Error(`${kind.id} ${keyOf(desired)} is not on ${member.name}`);
    const left = withoutKarmada(seen.object);
    if (left !== seen.object) await member.plane.put(kind, left, signal);
    this.#written.delete(record(member, desired));
  }

  /** New engine: whether a member's event shows our own last write. */
  isOwnWrite(member: Member, object: Manifest): boolean {
    const { resourceVersion } = object.metadata;
    return resourceVersion !== undefined && this.#written.get(record(member, object)) === versionIn(this.#run, object);
  }

  /** Old engine: whether the object is to be applied again. Undefined: nobody knows what we wrote last. */
  needsUpdate(member: Member, desired: Manifest, observed: Manifest): boolean {
    const written = this.#written.get(record(member, desired));
    return written !== undefined && looksForeign(desired, observed, written);
  }

  async #applyOnce(
    desired: Manifest,
    { kind, member }: { readonly kind: Kind<Manifest>; readonly member: Member },
    signal: AbortSignal,
  ): Promise<void> {
    const seen = member.see(kind, keyOf(desired));
    switch (seen.at) {
      case 'unknown':
        throw new NotSyncedError(`${kind.id} of ${member.name} has not been listed yet`);
      case 'absent':
        this.#note(member, await member.plane.create(kind, desired, signal));
        return member.proveServed(kind);
      case 'present': {
        const { object } = seen;
        if (!isManaged(object) && !overwrites(desired)) throw new Error(refusal(desired, member.name));
        const body = replacement(desired, object, this.#run.interpreters.for(desired).retain);
        this.#note(member, differs(body, object) ? await member.plane.put(kind, body, signal) : object);
      }
    }
  }

  #note(member: Member, object: Manifest): void {
    this.#written.set(record(member, object), versionIn(this.#run, object));
  }

  #kindOf(object: Manifest): Kind<Manifest> {
    const kind = this.#run.kinds.served(kindName(object));
    if (!kind) throw new Error(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
    return kind;
  }
}

export const isManaged = (object: Manifest): boolean => labelOf(object, labels.managed) === 'true';

const record = ({ name }: Member, object: Manifest): `${string} ${KindName} ${string}` =>
  `${name} ${kindName(object)} ${keyOf(object)}`;

/** The new engine knows its own writes by their resourceVersion, the old one by generation where there is one. */
const versionIn = ({ settings }: Run, object: Manifest): string =>
  settings.engine === 'new' ? `rv:${object.metadata.resourceVersion ?? ''}` : versionOf(object);

const refusal = ({ kind, metadata }: Manifest, member: string): string =>
  `resource(kind=${kind}, ${metadata.namespace ?? ''}/${metadata.name}) already exists in the cluster ${member} and the ` +
  `${annotations.conflictResolution} strategy value is empty, Karmada will not manage this resource`;
