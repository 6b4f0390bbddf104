/** Bugs to be planted, each with the oracle that must find it and the number of seeds that it may take. */
import type { OracleId } from '@lifeline/sim';

export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in it, so that no refactoring disarms the bug unseen. */
  readonly find: string;
  readonly replace: string;
}

export interface PlantedBug {
  readonly id: string;
  readonly what: string;
  /** Several, where one guard stands behind another. */
  readonly edits: readonly [Edit, ...Edit[]];
  /** Any of them. */
  readonly oracles: readonly OracleId[];
  /** Seeds that may pass before it is found. */
  readonly within: number;
  /** Where it is hunted, by name. Default: `micro`. */
  readonly scenario?: string | undefined;
}

const client = 'packages/k8s/src/client';
const cache = 'packages/k8s/src/cache';
const example = 'apps/example-mirror/src/mirror/controller.ts';
const scoped = 'packages/k8s/src/controller/scoped-cluster.ts';
const finalizerWrites = 'packages/k8s/src/write/finalizer-writes.ts';

const mirror = 'apps/hub-replicator/src/mirror';

const wholeList = (list: string): string =>
  `? [{ verb: 'patch', kind, name: { namespace: object.metadata.namespace, name: object.metadata.name }, patch: { type: 'merge', body: { metadata: { finalizers: ${list} } } } }] : [];`;

export const plantedBugs: readonly PlantedBug[] = [
  {
    id: 'B01',
    what: 'deletes have no UID precondition',
    edits: [
      {
        file: `${client}/http-client.ts`,
        find: 'preconditions: { uid, resourceVersion },',
        replace: 'preconditions: { resourceVersion },',
      },
    ],
    oracles: ['S1'],
    within: 100,
  },
  {
    id: 'B02',
    what: 'a kind that is not served is taken for an object that is not there',
    edits: [
      {
        file: `${client}/status-error.ts`,
        find: "return provesAbsence(said, target) ? 'not-found' : 'kind-missing';",
        replace: "return 'not-found';",
      },
      {
        file: `${cache}/reflector.ts`,
        find: "if (isKubeError(error, 'kind-missing')) return listAgain('kind-missing');",
        replace:
          "if (isKubeError(error, 'not-found')) return { next: { at: 'empty' }, deltas: [{ type: 'replaced', items: [] }], end: { reason: 'failed', error } };",
      },
    ],
    oracles: ['S1', 'S4'],
    within: 50,
  },
  {
    id: 'B03',
    what: 'a list whose next page fails is taken for complete',
    edits: [
      {
        file: `${client}/read-list.ts`,
        find: '    const page = await fetchPage(token);',
        replace: '    const page = await fetchPage(token).catch(() => undefined);\n    if (!page) break;',
      },
    ],
    oracles: ['S1', 'S4'],
    within: 50,
  },
  {
    id: 'B04',
    what: 'caches are read before they have synced, and what they lack is taken for gone',
    edits: [
      {
        file: 'packages/k8s/src/fleet/engaged-cluster.ts',
        find: "if (at === 'synced' || at === 'stale') return informer.store;",
        replace: "if (at !== 'unavailable') return informer.store;",
      },
      {
        file: example,
        find: 'source: cachedSource ?? (await liveSource()) });',
        replace: 'source: cachedSource });',
      },
    ],
    oracles: ['S4'],
    within: 100,
  },
  {
    id: 'B13',
    what: 'the finalizer is released before the copy is gone',
    edits: [
      {
        file: example,
        find: 'if (release.length > 0 && (await liveCopy()).length > 0) return { after: 5_000 };',
        replace: '',
      },
    ],
    oracles: ['S6', 'L5'],
    within: 100,
  },
  {
    id: 'B14',
    what: 'the list of finalizers is merged whole',
    edits: [
      {
        file: finalizerWrites,
        find: 'patchOf(kind, object, addFinalizer(object, finalizer));',
        replace: `addFinalizer(object, finalizer) ${wholeList('[...(object.metadata.finalizers ?? []), finalizer]')}`,
      },
      {
        file: finalizerWrites,
        find: 'patchOf(kind, object, removeFinalizer(object, finalizer));',
        replace: `removeFinalizer(object, finalizer) ${wholeList('(object.metadata.finalizers ?? []).filter((other) => other !== finalizer)')}`,
      },
    ],
    oracles: ['S6'],
    within: 100,
  },
  {
    id: 'B15',
    what: 'an object that is not selected any more keeps the finalizer',
    edits: [
      {
        file: example,
        find: 'isMirrored(source) || hasFinalizer(source, finalizer) ?',
        replace: 'isMirrored(source) ?',
      },
    ],
    oracles: ['L5'],
    within: 50,
  },
  {
    id: 'B16',
    what: 'a watch that expired is resumed',
    edits: [
      { file: `${cache}/reflector.ts`, find: "if (isExpired(error)) return listAgain('expired');", replace: '' },
      {
        file: `${cache}/reflector.ts`,
        find: "if (at === 'watching' && barren >= barrenLimit && isAnswer(error)) return listAgain('barren');",
        replace: '',
      },
    ],
    oracles: ['L1', 'L8'],
    within: 20,
  },
  {
    id: 'B17',
    what: 'watches may be silent for ever',
    edits: [
      {
        file: `${cache}/watchdog.ts`,
        find: 'else this.#tell();',
        replace: '',
      },
    ],
    oracles: ['L1'],
    within: 50,
  },
  {
    id: 'B20',
    what: 'writes go on after the lease was lost',
    edits: [
      { file: scoped, find: 'if (certainMs <= 0) throw fenced();', replace: '' },
      {
        file: scoped,
        find: 'const limitMs = Math.min(maxWriteMs, certainMs);',
        replace: 'const limitMs = maxWriteMs + 0 * certainMs;',
      },
      {
        file: scoped,
        find: 'if (fence.certainFor() <= 0 || clock.monotonic() >= ends) throw fenced();',
        replace: 'void ends;',
      },
      {
        file: 'packages/k8s/src/controller/runtime.ts',
        find: 'if (each.fence.certainFor() > 0) continue;',
        replace: 'if (each.fence.certainFor() >= 0) continue;',
      },
    ],
    oracles: ['S7'],
    within: 200,
  },
  {
    id: 'B24',
    what: 'Retry-After is ignored',
    edits: [
      {
        file: `${client}/retry-after.ts`,
        find: 'if (header === undefined) return undefined;',
        replace: 'if (header !== now) return undefined;',
      },
    ],
    oracles: ['L8'],
    within: 50,
  },
  {
    id: 'B05',
    what: 'a change of status alone brings nothing about',
    edits: [
      {
        file: `${mirror}/watches.ts`,
        find: 'reported(watch(projects, kind, upstream)',
        replace:
          "reported(watch(projects, kind, { ...upstream, predicate: (event) => event.type !== 'updated' || event.old.metadata.generation !== event.object.metadata.generation })",
      },
      // The floor would find it ten minutes later.
      {
        file: 'packages/k8s/src/controller/define-controller.ts',
        find: 'const defaults = { workers: 4, floorMs: 600_000,',
        replace: 'const defaults = { workers: 4, floorMs: 6_000_000,',
      },
    ],
    oracles: ['L2'],
    within: 20,
    scenario: 'replicator',
  },
  {
    id: 'B06',
    what: 'the annotation stays when the status vanishes',
    edits: [
      {
        file: `${mirror}/carried-status.ts`,
        find: 'if (mirrorAnnotations.every((name) => mirror.annotations[name] === has[name])) {',
        replace:
          'if (mirror.annotations[annotations.upstreamStatus] === undefined || mirrorAnnotations.every((name) => mirror.annotations[name] === has[name])) {',
      },
    ],
    oracles: ['L2'],
    within: 20,
    scenario: 'replicator',
  },
  {
    id: 'B07',
    what: 'numbers are read as doubles',
    edits: [
      {
        file: `${client}/exchange.ts`,
        find: 'return parseJsonBytes(bytes, request.read);',
        replace: 'return JSON.parse(new TextDecoder().decode(bytes));',
      },
      {
        file: `${client}/watch-decoder.ts`,
        find: 'return this.#handling.read(line);',
        replace: 'return JSON.parse(line);',
      },
    ],
    oracles: ['S5', 'L2'],
    within: 40,
    scenario: 'replicator',
  },
  {
    id: 'B08',
    what: 'the hub namespace is named after the name of the project’s',
    edits: [
      {
        file: `${mirror}/decide.ts`,
        find: 'return uid === undefined ? undefined : { cluster: target.cluster, name: target.namespace, uid };',
        replace:
          'return uid === undefined ? undefined : { cluster: target.cluster, name: target.namespace, uid: target.namespace };',
      },
    ],
    oracles: ['S2', 'L1'],
    within: 20,
    scenario: 'replicator',
  },
  {
    id: 'B13-replicator',
    what: 'the finalizer is released before the copy is gone from the hub',
    edits: [
      {
        file: `${mirror}/end.ts`,
        find: 'if (!(await takenOff(scene, kind, copies))) return { after: holdMs };',
        replace: 'await takenOff(scene, kind, copies);',
      },
    ],
    oracles: ['S6', 'L5'],
    within: 100,
    scenario: 'replicator',
  },
  {
    id: 'B15-replicator',
    what: 'an object that is not selected any more keeps the finalizer',
    edits: [
      {
        file: `${mirror}/decide.ts`,
        find: 'const held = upstream && hasFinalizer(upstream, finalizers.replicator) ? upstream : undefined;',
        replace:
          'const held = upstream && isDeleting(upstream) && hasFinalizer(upstream, finalizers.replicator) ? upstream : undefined;',
      },
    ],
    oracles: ['L5'],
    within: 50,
    scenario: 'replicator',
  },
  {
    id: 'B19',
    what: 'the agent’s clock decides how old a renewal is',
    edits: [
      {
        file: 'apps/hub-replicator/src/connector/lease-table.ts',
        find: 'entry.written = false;\n    return observeLease(before, lease, now);',
        replace:
          'entry.written = false;\n    return observeLease(before, lease, Math.min(now, now + Date.parse(lease.spec?.renewTime ?? "") - this.#options.clock.now()) as typeof now);',
      },
    ],
    oracles: ['S10', 'L2', 'L4'],
    within: 50,
    scenario: 'replicator',
  },
  {
    id: 'B20-replicator',
    what: 'a shard counts as held for a minute after its Lease could have been taken',
    edits: [
      {
        file: 'packages/k8s/src/manager/lease-claim.ts',
        find: 'return Math.max(0, this.#certainUntil - this.#options.clock.monotonic());',
        replace:
          'return this.#certainUntil === 0 ? 0 : Math.max(0, this.#certainUntil + 60_000 - this.#options.clock.monotonic());',
      },
    ],
    oracles: ['S7'],
    within: 200,
    scenario: 'replicator',
  },
  {
    id: 'B23',
    what: 'lastTransitionTime is that of the pass',
    edits: [
      {
        file: 'packages/core/src/meta/conditions.ts',
        find: 'const kept = old?.status === desired.status && parseTime(old.lastTransitionTime) !== undefined;',
        replace: 'const kept = old !== undefined && now < 0;',
      },
    ],
    oracles: ['L7', 'S10'],
    within: 20,
    scenario: 'replicator',
  },
];

/** @throws TypeError for a bug that nobody planted */
export function plantedBug(id: string): PlantedBug {
  const found = plantedBugs.find((bug) => bug.id === id);
  if (!found) throw new TypeError(`no planted bug ${id}`);
  return found;
}
