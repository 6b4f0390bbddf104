/** Step 7: from the status of Works to that of their binding, and on to the template where its kind says how. */
import { deepEqual, isDeleting, keyOf, setCondition } from '@lifeline/core';
import { changed } from '@lifeline/k8s';
import { type Binding, bindingKeyOf } from '../hub.ts';
import type { AggregatedItem } from '../interpreter/interpreter.ts';
import { kindName, type Manifest } from '../manifest.ts';
import { throughConflicts } from '../runtime/conflicts.ts';
import { onNews } from '../runtime/on-news.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { aggregate, fullyApplied } from './aggregate.ts';

export function bindingStatusController(run: Run): Part {
  const { clock, hub, kinds, settings, interpreters, hops, faults } = run;

  const workers = workersOf(run, {
    name: 'binding-status',
    hop: 'binding-status',
    count: settings.workers.bindings,
    async reconcile(key, signal) {
      const binding = hub.binding(key);
      if (!binding || isDeleting(binding)) return;
      const items = aggregate(hub.worksOf(binding));
      await hub.plane.changeStatus(hub.heldBinding(key), (held) => withItems(held, items), signal);
      await tellTemplate(binding, items, signal);
    },
  });

  function withItems(binding: Binding, items: readonly AggregatedItem[]): Binding {
    const noted = setCondition(binding.status?.conditions, fullyApplied(binding, items), clock.now());
    const { aggregatedStatus: before, ...status } = binding.status ?? {};
    if (noted === binding.status?.conditions && deepEqual(before ?? [], items)) return binding;
    const aggregated = items.length > 0 ? { aggregatedStatus: [...items] } : {};
    return { ...binding, status: { ...status, conditions: [...noted], ...aggregated } };
  }

  /** Rule 22: only where AggregateStatus is defined, and only when it says something else. The template is read live. */
  async function tellTemplate(binding: Binding, items: readonly AggregatedItem[], signal: AbortSignal): Promise<void> {
    const { resource } = binding.spec;
    const aggregateStatus = faults.emptiesStatus?.(binding) ? emptied : interpreters.for(resource).aggregateStatus;
    const kind = kinds.served(kindName(resource));
    if (!aggregateStatus || !kind) return;
    await hops.get('template-status').pass(keyOf(binding), clock, signal);
    const name = { namespace: resource.namespace ?? undefined, name: resource.name };
    const attempt = async (): Promise<void> => {
      const template = await hub.plane.client.find(kind, name, { signal });
      if (!template) return;
      const next = aggregateStatus(template, items);
      if (deepEqual(next.status, template.status)) return;
      await hub.plane.client.update(kind, next, { signal, subresource: 'status', fieldValidation: 'Ignore' });
    };
    await throughConflicts(attempt, clock, signal);
  }

  return {
    workers: [workers],
    watch() {
      hub.works.subscribe((event) => {
        if (event.type === 'malformed' || event.type === 'added') return;
        if (event.type === 'updated' && deepEqual(event.old.status, event.object.status)) return;
        const key = bindingKeyOf(event.object);
        if (key !== undefined) workers.add(key);
      });
      for (const { cache } of Object.values(hub.bindingKinds)) {
        onNews(cache, templateChanged, (binding) => {
          if (binding.status?.lastScheduledTime) workers.add(keyOf(binding));
        });
      }
    },
  };
}

const templateChanged = changed(({ spec }: Binding) => spec.resource.resourceVersion ?? '');

const emptied = (template: Manifest): Manifest => ({ ...template, status: {} });
