/** Mirrors labelled ConfigMaps of many planes into one. */
import { ConfigMap, hasFinalizer, objectKey, parseKey, TerminalError } from '@lifeline/core';
import { type ClusterProvider, type Controller, defineController, self, watch } from '@lifeline/k8s';
import { copyLabel, copyName, finalizer, isCopyOf, isMirrored, requestOf, sourceIndex, sourceOf } from './copy.ts';
import { decide, makesOrEnds } from './decide.ts';

export interface MirrorOptions {
  readonly sources: ClusterProvider;
  readonly target: ClusterProvider;
  /** Where copies live in the target. */
  readonly namespace: string;
}

const owner = 'lifeline-example-mirror';

export const mirror = ({ sources, target, namespace }: MirrorOptions): Controller =>
  defineController({
    name: 'mirror',
    watches: [
      // All of them, not just the labelled ones: an object that lost its label may still be held by our finalizer.
      watch(sources, ConfigMap, {
        mapper: (source, cluster) =>
          isMirrored(source) || hasFinalizer(source, finalizer) ? self(source, cluster) : [],
      }),
      watch(target, ConfigMap, {
        namespace,
        labelSelector: `${copyLabel}=true`,
        indexes: { [sourceIndex]: (copy) => toList(requestOf(copy)).map(sourceOf) },
        mapper: (copy) => toList(requestOf(copy)),
      }),
    ],
    writes: [
      { plane: sources.plane, kind: ConfigMap, verbs: ['patch'], fields: ['metadata.finalizers'], owner, reads: true },
      {
        plane: target.plane,
        kind: ConfigMap,
        verbs: ['apply', 'delete'],
        fields: ['data', 'binaryData', 'metadata.labels', 'metadata.annotations'],
        owner,
        reads: true,
      },
    ],
    async reconcile(request, { cluster, signal }) {
      const from = cluster(sources, request.cluster);
      const to = cluster(target);
      const name = { namespace, name: copyName(request.cluster, request.key) };
      const liveCopy = async (): Promise<readonly ConfigMap[]> => {
        const found = await to.live.find(ConfigMap, name, { signal });
        if (found && !isCopyOf(found, request))
          throw new TerminalError(`${objectKey(name)} exists and is not ours: rename it`);
        return found ? [found] : [];
      };
      const liveSource = (): Promise<ConfigMap | undefined> =>
        from.live.find(ConfigMap, parseKey(request.key), { signal });
      // A cache holds what it was told so far. What it lacks may be gone, or just written: a live read tells.
      const cachedSource = from.store(ConfigMap).get(request.key);
      const cachedCopies = to.store(ConfigMap).byIndex(sourceIndex, sourceOf(request));
      const seen = {
        cluster: request.cluster,
        namespace,
        copies: cachedCopies.length > 0 ? cachedCopies : await liveCopy(),
      };
      const first = decide({ ...seen, source: cachedSource ?? (await liveSource()) });
      // The server that the cache follows may lag for minutes: nothing is made or ended on its word alone.
      const { hold, copies, release } =
        cachedSource && makesOrEnds(first, seen.copies) ? decide({ ...seen, source: await liveSource() }) : first;
      for (const write of hold) await from.write(write, { signal });
      for (const write of copies) await to.write(write, { signal });
      if (release.length > 0 && (await liveCopy()).length > 0) return { after: 5_000 };
      for (const write of release) await from.write(write, { signal });
      return {};
    },
  });

const toList = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
