/** Step 6: from the member's object to the status of its Work. In the old engine also what repairs it. */
import { deepEqual, isDeleting, parseKey, type Work } from '@lifeline/core';
import { manifestIn } from '../binding/work-of.ts';
import type { Member } from '../cluster/member.ts';
import { parseTemplateKey, templateKey } from '../detector/template-key.ts';
import type { Applier } from '../execution/applier.ts';
import { workKeyOf } from '../execution/controller.ts';
import type { Manifest } from '../manifest.ts';
import { workKey } from '../names.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { type ManifestStatus, reflect } from './reflect.ts';

export function workStatusController(run: Run, applier: Applier): Part {
  const { hub, members, settings, interpreters } = run;

  const workers = workersOf(run, {
    name: 'work-status',
    hop: 'work-status',
    count: settings.workers.works,
    async reconcile(key, signal) {
      const [cluster = '', ...rest] = key.split(' ');
      const member = members.get(cluster);
      if (!member) return;
      const { kindName, objectKey } = parseTemplateKey(rest.join(' '));
      const object = member.find(kindName, objectKey);
      if (!object) {
        if (settings.engine === 'old') await recreate({ member, kindName, objectKey }, signal);
        return;
      }
      const workKey = workKeyOf(object);
      const work = workKey === undefined ? undefined : hub.works.store.get(workKey);
      if (!work || workKey === undefined || isDeleting(work)) return;
      if (settings.engine === 'old') await repair(work, { member, object }, signal);
      const seen = reflect(object, interpreters.for(object));
      await hub.plane.changeStatus(hub.heldWork(workKey), (held) => withStatus(held, seen), signal);
    },
  });

  async function repair(
    work: Work,
    { member, object }: { readonly member: Member; readonly object: Manifest },
    signal: AbortSignal,
  ): Promise<void> {
    const desired = manifestIn(work);
    if (!desired || work.spec.suspendDispatching || !applier.needsUpdate(member, desired, object)) return;
    await applier.apply(work, member, signal);
  }

  async function recreate(
    { member, kindName, objectKey }: { readonly member: Member; readonly kindName: string; readonly objectKey: string },
    signal: AbortSignal,
  ): Promise<void> {
    const kind = kindName.slice(kindName.indexOf(' ') + 1);
    const work = hub.works.store.get(workKey(member.name, { kind, ...parseKey(objectKey) }));
    if (work && !isDeleting(work) && !work.spec.suspendDispatching) await applier.apply(work, member, signal);
  }

  return {
    workers: [workers],
    watch() {
      members.subscribe((event, member) => {
        if (event.type === 'malformed') return;
        if (event.type === 'deleted' && settings.engine === 'new') return;
        if (workKeyOf(event.object) !== undefined) workers.add(`${member.name} ${templateKey(event.object)}`);
      });
    },
  };
}

function withStatus(work: Work, seen: ManifestStatus): Work {
  if (isDeleting(work) || deepEqual(work.status?.manifestStatuses, [seen])) return work;
  return { ...work, status: { ...work.status, manifestStatuses: [seen] } };
}
