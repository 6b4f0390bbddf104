/** Rule 10: hub namespaces go to every member, without any policy. */
import { isDeleting, keyOf, type Namespace, ownerReferenceTo } from '@lifeline/core';
import { ensureWork } from '../binding/works.ts';
import { isReservedNamespace } from '../detector/ignored.ts';
import { labelOf, type Manifest } from '../manifest.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { labels } from '../words.ts';

export function namespaceController(run: Run): Part {
  const { hub, settings } = run;

  const workers = workersOf(run, {
    name: 'namespace',
    hop: 'namespace',
    count: settings.workers.namespaces,
    async reconcile(name, signal) {
      const namespace = hub.namespaces.store.get(name);
      // One that is going away owns its Works: they go when it is gone.
      if (!namespace || isDeleting(namespace) || isExcluded(namespace)) return;
      for (const cluster of hub.clusters.store.list()) {
        if (isDeleting(cluster)) continue;
        const inputs = {
          template: namespace as unknown as Manifest,
          cluster,
          origin: {
            labels: {},
            annotations: {},
            conflictResolution: undefined,
            owner: ownerReferenceTo(namespace, { controller: true, blockOwnerDeletion: true }),
          },
          overrides: hub.overridesOf(undefined),
          dispatch: { suspended: false, preserve: false },
        };
        await ensureWork(run, inputs, signal);
      }
    },
  });

  const isExcluded = (namespace: Namespace): boolean => {
    const { name } = namespace.metadata;
    if (name === 'default' || isReservedNamespace(name) || settings.skippedNamespaces.test(name)) return true;
    return labelOf(namespace, labels.skipNamespace) === 'true';
  };

  const addAll = (): void => {
    for (const name of hub.namespaces.store.keys()) workers.add(name);
  };

  return {
    workers: [workers],
    watch() {
      hub.namespaces.subscribe((event) => {
        if (event.type !== 'deleted' && event.type !== 'malformed') workers.add(keyOf(event.object));
      });
      hub.clusters.subscribe((event) => {
        if (event.type === 'added') addAll();
      });
      hub.clusterOverrides.subscribe((event) => {
        if (event.type !== 'malformed') addAll();
      });
    },
  };
}
