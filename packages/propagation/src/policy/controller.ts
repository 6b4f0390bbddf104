/** What follows from policies that come, change and go. */
import { deepEqual, hasFinalizer, isDeleting, keyOf, type KubeObject } from '@lifeline/core';
import type { ObjectEvent } from '@lifeline/k8s';
import type { Detector } from '../detector/controller.ts';
import { keyOfResource, parseTemplateKey } from '../detector/template-key.ts';
import type { Binding } from '../hub.ts';
import { type Manifest, withFinalizer, withKeys, withoutFinalizer } from '../manifest.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { finalizers } from '../words.ts';
import { selectsTemplate } from './choose.ts';
import { type Claim, claimBy, claimOn, idLabel, type Policy, withoutClaim } from './claim.ts';

/** Policies of one scope. What admission does in a real Karmada (the permanent id, the finalizer) is done here, first of all. */
export function policyController(run: Run, scope: Policy['scope'], templates: Detector): Part {
  const { hub, kinds, random, settings } = run;
  const cache = scope === 'Namespaced' ? hub.policies : hub.clusterPolicies;
  const finalizer = scope === 'Namespaced' ? finalizers.policy : finalizers.clusterPolicy;

  const workers = workersOf(run, {
    name: scope === 'Namespaced' ? 'policy' : 'cluster-policy',
    hop: 'policy',
    count: scope === 'Namespaced' ? settings.workers.policies : settings.workers.clusterPolicies,
    async reconcile(key, signal) {
      const object = cache.store.get(key);
      if (!object) return;
      const policy = { scope, object } as Policy;
      const claim = claimBy(policy);
      if (isDeleting(object)) {
        if (claim) for (const binding of hub.bindingsOfPolicy(claim.id)) await release(binding, claim, signal);
        return admit(key, (found) => withoutFinalizer(found, finalizer), signal);
      }
      if (!claim || !hasFinalizer(object, finalizer))
        return admit(key, (found) => admitted(found, { label: idLabel(scope), id: random.uuid(), finalizer }), signal);
      await follow(policy, claim, signal);
    },
  });

  /** Rule 5: what it does not select any more is let go; everything else follows its new spec; what was parked may be for it. */
  async function follow(policy: Policy, claim: Claim, signal: AbortSignal): Promise<void> {
    for (const binding of hub.bindingsOfPolicy(claim.id)) {
      const key = keyOfResource(binding);
      const template = kinds.template(key);
      if (template && !selectsTemplate(policy, template)) {
        await releaseTemplate(binding, claim, signal);
        await releaseBinding(binding, claim, signal);
      } else templates.add(key);
    }
    for (const key of templates.parked) {
      const template = kinds.template(key);
      if (template && selectsTemplate(policy, template)) templates.add(key);
    }
  }

  async function release(binding: Binding, claim: Claim, signal: AbortSignal): Promise<void> {
    await releaseBinding(binding, claim, signal);
    await releaseTemplate(binding, claim, signal);
  }

  const releaseBinding = (binding: Binding, claim: Claim, signal: AbortSignal): Promise<void> =>
    hub.plane.change(hub.heldBinding(keyOf(binding)), (held) => without(held, claim), signal);

  async function releaseTemplate(binding: Binding, claim: Claim, signal: AbortSignal): Promise<void> {
    const { kindName, objectKey: key } = parseTemplateKey(keyOfResource(binding));
    const kind = kinds.served(kindName);
    const store = kinds.cache(kindName)?.store;
    if (kind && store) await hub.plane.change<Manifest>({ kind, store, key }, (held) => without(held, claim), signal);
  }

  const admit = <T extends KubeObject>(key: string, change: (object: T) => T, signal: AbortSignal): Promise<void> =>
    hub.plane.change({ kind: cache.kind, store: cache.store, key }, change as never, signal);

  return {
    workers: [workers],
    watch() {
      cache.subscribe((event) => {
        if (event.type !== 'deleted' && isNews(event, scope)) workers.add(keyOf(event.object));
      });
    },
  };
}

/** The object without the claim, if it is that policy's. */
const without = <T extends KubeObject>(object: T, claim: Claim): T =>
  claimOn(object)?.id === claim.id ? withoutClaim(object, claim.scope) : object;

const admitted = <T extends KubeObject>(
  object: T,
  { label, id, finalizer }: { readonly label: string; readonly id: string; readonly finalizer: string },
): T => {
  const labelled = object.metadata.labels?.[label] ? object : withKeys(object, { labels: { [label]: id } });
  return withFinalizer(labelled, finalizer);
};

/** The spec, the beginning of its end, or what admission owes it: never other metadata. */
function isNews(event: ObjectEvent<Policy['object']>, scope: Policy['scope']): boolean {
  if (event.type !== 'updated') return true;
  const { old, object } = event;
  return (
    !deepEqual(old.spec, object.spec) ||
    isDeleting(object) ||
    !claimBy({ scope, object }) ||
    !claimBy({ scope, object: old })
  );
}
