/** The least controller that guards policies: what a kind's mirror does around the guard, and nothing more. */
import { fieldManagers, identityOf, labelSelectors, objectKey, parseKey, Secret, SecurityPolicy } from '@lifeline/core';
import { type Controller, defineController, deleteWrite, self, watch, type Write } from '@lifeline/k8s';
import { requestOfCopy } from '../mirror/engaged.ts';
import { policiesOf } from '../mirror/kinds.ts';
import { carryStatusUp, Unkept } from '../status-up/carry.ts';
import { pendingSecretWrites } from './guard.ts';
import { mapped, namespace, type Planes } from './planes.fixture.ts';
import { policiesOfSecret, policiesOfSource, secretIndexes } from './policies-of-secret.ts';
import { guardReads, guardRecheckMs, readGuard } from './read-guard.ts';

export const controllerName = 'example.com/ours';

const owner = fieldManagers.hubReplicator;
const policy = policiesOf([]).policies.find(({ guardsSecrets }) => guardsSecrets);

export function guarded({ projects, hub, engaged }: Planes): Controller {
  const unkept = new Unkept();
  if (!policy) throw new Error('no kind guards Secrets');
  return defineController({
    name: 'guarded',
    watches: [
      watch(projects, SecurityPolicy, { indexes: secretIndexes, mapper: self }),
      watch(hub, SecurityPolicy, {
        labelSelector: labelSelectors.copies,
        mapper: (copy) => {
          const found = requestOfCopy(SecurityPolicy, copy, engaged);
          return found.at === 'request' ? [found.request] : [];
        },
      }),
      watch(hub, Secret, {
        labelSelector: labelSelectors.copies,
        metadataOnly: true,
        mapper: policiesOfSecret(engaged),
      }),
      watch(projects, Secret, { metadataOnly: true, mapper: policiesOfSource(engaged) }),
    ],
    reads: guardReads(hub.plane),
    writes: [
      { plane: projects.plane, kind: SecurityPolicy, verbs: ['patch'], fields: ['status'], owner },
      { plane: hub.plane, kind: SecurityPolicy, verbs: ['apply', 'delete'], fields: ['spec', 'metadata'], owner },
    ],
    async reconcile(request, { clock, cluster, signal }) {
      const project = cluster(projects, request.cluster);
      const onHub = cluster(hub);
      const upstream = project.store(SecurityPolicy).get(request.key);
      if (!upstream) return {};
      const { name } = parseKey(request.key);
      const copy = onHub.store(SecurityPolicy).get(objectKey({ namespace: mapped, name }));
      const decision = await readGuard({ policy: upstream, copy, project, hub: onHub, namespace: mapped }, signal);
      const now = clock.now();
      if (decision.at !== 'open') {
        if (decision.at === 'closed' && copy) await onHub.write(deleteWrite(SecurityPolicy, copy), { signal });
        for (const write of pendingSecretWrites(upstream, decision.missing, { controllerName, now }))
          await project.write(write, { signal });
        return { after: guardRecheckMs };
      }
      const applied = await onHub.write(
        { verb: 'apply', kind: SecurityPolicy, object: copyOf(upstream, request.cluster), force: true },
        { signal },
      );
      await carryStatusUp(
        {
          policy,
          upstream,
          copy: typeof applied === 'object' ? applied : undefined,
          cluster: request.cluster,
          controllerName,
          now,
        },
        { project, unkept, signal },
      );
      return {};
    },
  });
}

function copyOf({ metadata, spec }: SecurityPolicy, cluster: string): Extract<Write, { verb: 'apply' }>['object'] {
  const { name, uid = '', generation } = metadata;
  const { group, kind } = SecurityPolicy;
  const identity = identityOf({ cluster, group, kind, namespace, name, uid, generation }, 'test');
  return { metadata: { ...identity, namespace: mapped, name }, spec };
}
