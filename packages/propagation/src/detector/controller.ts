/** Steps 1 and 2: from a template and its policy to a binding. */
import { controllerOf, deepEqual, objectKey } from '@lifeline/core';
import type { Draft, ObjectEvent } from '@lifeline/k8s';
import type { Binding, BindingKind } from '../hub.ts';
import { kindName, type Manifest, withMetadata } from '../manifest.ts';
import { choose } from '../policy/choose.ts';
import { type Claim, claimOn, type Policy, withClaim, withoutClaim } from '../policy/claim.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { bindingOf, refreshed } from './binding-of.ts';
import { isIgnoredObject } from './ignored.ts';
import { type TemplateKey, templateKey } from './template-key.ts';

/** The detector, and what policies ask of it. */
export interface Detector extends Part {
  add(key: TemplateKey): void;
  /** Templates that no policy was for, by their keys. */
  readonly parked: ReadonlySet<TemplateKey>;
}

export function detector(run: Run): Detector {
  const { hub, kinds, random, settings } = run;
  const parked = new Set<TemplateKey>();

  const workers = workersOf(run, {
    name: 'detector',
    hop: 'detector',
    count: settings.workers.templates,
    async reconcile(key, signal) {
      const template = kinds.template(key);
      parked.delete(key);
      if (!template) return;
      const choice = choose(template, hub.policiesNow());
      switch (choice.at) {
        case 'park':
          parked.add(key);
          return;
        case 'freeze':
          return;
        case 'release':
          return release(template, choice.claim, signal);
        case 'apply':
          return ensureBinding(await claimed(template, choice.claim, signal), choice, signal);
      }
    },
  });

  /** Rule 4: a write of its own, by the resourceVersion that was read. */
  async function claimed(template: Manifest, claim: Claim, signal: AbortSignal): Promise<Manifest> {
    if (deepEqual(claimOn(template), claim)) return template;
    const kind = kinds.served(kindName(template));
    return kind ? hub.plane.put(kind, withClaim(template, claim), signal) : template;
  }

  async function ensureBinding(
    template: Manifest,
    { policy, claim }: { readonly policy: Policy; readonly claim: Claim },
    signal: AbortSignal,
  ): Promise<void> {
    const bindingKind = template.metadata.namespace ? hub.bindingKinds.Namespaced : hub.bindingKinds.Cluster;
    const interpreter = run.interpreters.for(template);
    const wanted = bindingOf({ template, policy, claim, interpreter, finalizer: bindingKind.finalizer });
    const key = objectKey(wanted.metadata);
    if (!hub.binding(key)) {
      await hub.plane.create(bindingKind.kind, withId(wanted, bindingKind), signal);
      return;
    }
    await hub.plane.change(hub.heldBinding(key), (existing) => refreshedFor(existing, wanted, template), signal);
  }

  const withId = (wanted: Draft<Binding>, { idLabel }: BindingKind): Draft<Binding> => ({
    ...wanted,
    metadata: { ...wanted.metadata, labels: { ...wanted.metadata.labels, [idLabel]: random.uuid() } },
  });

  async function release(template: Manifest, { scope }: Claim, signal: AbortSignal): Promise<void> {
    const kind = kinds.served(kindName(template));
    if (kind) await hub.plane.put(kind, withoutClaim(template, scope), signal);
  }

  return {
    workers: [workers],
    parked,
    add: (key) => workers.add(key),
    watch() {
      kinds.subscribe((event) => {
        const { object } = event;
        if (isIgnoredObject(object, settings.skippedNamespaces) || !isNews(event)) return;
        workers.add(templateKey(object));
      });
    },
  };
}

/** @throws Error while the binding belongs to an earlier object of that name: it goes by itself */
function refreshedFor(existing: Binding, wanted: Draft<Binding>, template: Manifest): Binding {
  const owner = controllerOf(existing);
  if (owner && owner.uid !== template.metadata.uid)
    throw new Error('failed to update binding due to different owner reference UID');
  const next = refreshed(existing, wanted);
  return deepEqual(next, existing) ? existing : next;
}

/** Anything but the status and what the API server counts. */
function isNews(event: ObjectEvent<Manifest>): boolean {
  return event.type !== 'updated' || !deepEqual(carried(event.old), carried(event.object));
}

function carried(object: Manifest): Manifest {
  const { status: _, ...rest } = object;
  return withMetadata(rest as Manifest, { resourceVersion: undefined, managedFields: undefined });
}
