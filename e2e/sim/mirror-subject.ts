/** What the oracles need to know of the example app. */
import { copyOf, finalizer, mirrorLabel, requestOf, sourceUidOf } from '@lifeline/example-mirror';
import { ConfigMap, isDeleting, keyOf, type KubeObject, type ObjectMeta, parseKey } from '@lifeline/core';
import type { WriteRight } from '@lifeline/k8s';
import type { CopyRules, Output, Placed, Subject, Truth } from '@lifeline/sim';

export const target = 'target';
export const copies = 'mirrors';
export const mirrorLease = { namespace: copies, name: 'example-mirror' };

export interface MirrorSubjectOptions {
  readonly app: string;
  readonly replicas: readonly string[];
  readonly sources: readonly string[];
  readonly writes: readonly WriteRight[];
  readonly floorMs: number;
  /** Replicas elect a leader. */
  readonly elects: boolean;
}

const isMirrored = (source: KubeObject): boolean =>
  !isDeleting(source) && source.metadata.labels?.[mirrorLabel] === 'true';

const isCopy = ({ plane, object }: Placed): boolean =>
  plane === target && object.kind === 'ConfigMap' && object.metadata.namespace === copies;

const copyRules: CopyRules = {
  planes: [target],
  isOurs: (placed) => isCopy(placed) && requestOf(placed.object) !== undefined,
  upstreamOf: (placed) => {
    const request = isCopy(placed) ? requestOf(placed.object) : undefined;
    const uid = sourceUidOf(placed.object);
    return request && uid !== undefined
      ? { plane: request.cluster, kind: ConfigMap, name: parseKey(request.key), uid }
      : undefined;
  },
  isSelected: ({ object }) => isMirrored(object),
  copiesOf: ({ object }, truth) =>
    copiesIn(truth)
      .filter((copy) => sourceUidOf(copy) === object.metadata.uid)
      .map((copy) => ({ plane: target, object: copy })),
};

const copiesIn = (truth: Truth): readonly ConfigMap[] =>
  truth.objects(target, ConfigMap).filter((object) => isCopy({ plane: target, object }));

/** What is the app's of a copy. */
const essence = ({ metadata: { name, labels, annotations }, data, binaryData }: ConfigMap): unknown => ({
  name,
  labels: ours(labels),
  annotations: ours(annotations),
  data: data ?? {},
  binaryData: binaryData ?? {},
});

const ours = (entries: ObjectMeta['labels']): unknown =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => key.startsWith('example.lifeline.dev/')));

const outputs = (sources: readonly string[]): readonly Output[] => [
  {
    oracle: 'L1',
    want: (truth) =>
      new Map(
        sources.flatMap((plane) =>
          truth
            .objects(plane, ConfigMap)
            .filter(isMirrored)
            .map(
              (source) => [`${plane} ${keyOf(source)} in ${target}`, essence(copyOf(source, plane, copies))] as const,
            ),
        ),
      ),
    have: (truth) =>
      new Map(
        copiesIn(truth).map((copy) => {
          const request = requestOf(copy);
          return [`${request?.cluster} ${request?.key} in ${target}`, essence(copy)] as const;
        }),
      ),
  },
  {
    oracle: 'L5',
    want: (truth) => held(sources, truth, isMirrored),
    have: (truth) => held(sources, truth, ({ metadata }) => metadata.finalizers?.includes(finalizer) === true),
  },
];

/** Sources that are held, or are to be. The way to the target matters: without it nothing is let go. */
const held = (
  sources: readonly string[],
  truth: Truth,
  is: (source: ConfigMap) => boolean,
): ReadonlyMap<string, unknown> =>
  new Map(
    sources.flatMap((plane) =>
      truth
        .objects(plane, ConfigMap)
        .filter(is)
        .map((source) => [`${plane} ${keyOf(source)} held for ${target}`, true] as const),
    ),
  );

export const mirrorSubject = (options: MirrorSubjectOptions): Subject => ({
  app: options.app,
  replicas: options.replicas,
  writes: options.writes,
  planeOf: ({ name }) => (name === target ? target : 'source'),
  finalizers: [finalizer],
  copies: copyRules,
  tenants: {
    markers: new Map(options.sources.length > 1 ? options.sources.map((plane) => [plane, markerOf(plane)]) : []),
    projectOf: ({ plane, object }) => (plane === target ? requestOf(object)?.cluster : plane),
  },
  election: options.elects ? { plane: target, lease: mirrorLease } : undefined,
  outputs: outputs(options.sources),
  idle: { floorMs: options.floorMs, requestsPerFloor: () => 2 },
});

/** What users of a plane write into their values. */
export const markerOf = (plane: string): string => `secret-of-${plane}`;
