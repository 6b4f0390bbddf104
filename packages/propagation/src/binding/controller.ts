/** Step 4: from a binding to one Work for each of its targets. */
import { isDeleting, keyOf, type OverridePolicy } from '@lifeline/core';
import { generationChanged } from '@lifeline/k8s';
import { keyOfResource } from '../detector/template-key.ts';
import type { Binding } from '../hub.ts';
import { type Manifest, withoutFinalizer } from '../manifest.ts';
import { clusterOfNamespace } from '../names.ts';
import { onNews } from '../runtime/on-news.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { isDivided, type Target } from '../scheduler/divide.ts';
import { annotations } from '../words.ts';
import { dispatchTo } from './dispatch.ts';
import { concerns } from './overrides.ts';
import { ensureWork } from './works.ts';
import type { Origin } from './work-of.ts';

export function bindingController(run: Run): Part {
  const { hub, kinds, settings, faults } = run;

  const workers = workersOf(run, {
    name: 'binding',
    hop: 'binding',
    count: settings.workers.bindings,
    async reconcile(key, signal) {
      const binding = hub.binding(key);
      if (!binding) return;
      if (isDeleting(binding)) return withdraw(binding, signal);
      await removeOrphans(binding, signal);
      const template = kinds.template(keyOfResource(binding));
      // Gone, and its binding will be soon.
      if (!template) return;
      for (const target of binding.spec.clusters ?? []) await dispatch(binding, { template, target }, signal);
    },
  });

  /** Rule 25: the binding is gone as soon as its Works have been told to go. */
  async function withdraw(binding: Binding, signal: AbortSignal): Promise<void> {
    for (const work of hub.worksOf(binding)) {
      if (!isDeleting(work) && !faults.leaks?.(work)) await hub.plane.delete(hub.works.kind, work, signal);
    }
    const { finalizer } = hub.bindingKind(keyOf(binding));
    await hub.plane.change(hub.heldBinding(keyOf(binding)), (held) => withoutFinalizer(held, finalizer), signal);
  }

  /** Works for what is no target any more. */
  async function removeOrphans(binding: Binding, signal: AbortSignal): Promise<void> {
    const targets = new Set(binding.spec.clusters?.map(({ name }) => name));
    for (const work of hub.worksOf(binding)) {
      const cluster = clusterOfNamespace(work.metadata.namespace ?? '');
      if (cluster !== undefined && !targets.has(cluster) && !isDeleting(work))
        await hub.plane.delete(hub.works.kind, work, signal);
    }
  }

  async function dispatch(
    binding: Binding,
    { template, target }: { readonly template: Manifest; readonly target: Target },
    signal: AbortSignal,
  ): Promise<void> {
    const cluster = hub.clusters.store.get(target.name);
    if (!cluster) throw new Error(`cluster ${target.name} is not there`);
    const { reviseReplica } = run.interpreters.for(template);
    const divided = Boolean(binding.spec.replicas) && isDivided(binding.spec.placement ?? {});
    const revised = divided && reviseReplica ? reviseReplica(template, target.replicas ?? 0) : template;
    const inputs = {
      template,
      revised,
      cluster,
      origin: originOf(binding),
      overrides: hub.overridesOf(template.metadata.namespace),
      dispatch: dispatchTo(binding, target.name),
    };
    await ensureWork(run, inputs, signal);
  }

  function originOf(binding: Binding): Origin {
    const { namespace, name } = binding.metadata;
    const { idLabel } = hub.bindingKind(keyOf(binding));
    return {
      labels: { [idLabel]: hub.bindingId(binding) },
      annotations: namespace
        ? { [annotations.bindingNamespace]: namespace, [annotations.bindingName]: name }
        : { [annotations.clusterBindingName]: name },
      conflictResolution: binding.spec.conflictResolution ?? '',
    };
  }

  /** Override policies are not part of bindings: those whose objects they concern are looked at again. */
  function overridesChanged(...policies: readonly OverridePolicy[]): void {
    for (const binding of hub.bindings()) {
      const template = kinds.template(keyOfResource(binding));
      if (template && policies.some((policy) => concerns(policy, template))) workers.add(keyOf(binding));
    }
  }

  return {
    workers: [workers],
    watch() {
      for (const { cache } of Object.values(hub.bindingKinds)) {
        onNews(cache, generationChanged, (binding) => workers.add(keyOf(binding)));
      }
      for (const cache of [hub.overrides, hub.clusterOverrides]) {
        cache.subscribe((event) => {
          if (event.type === 'malformed') return;
          if (event.type === 'updated') overridesChanged(event.old, event.object);
          else overridesChanged(event.object);
        });
      }
    },
  };
}
