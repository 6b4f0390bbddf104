/** Karmada's knobs, by the names that they have here. */
import type { DurationMs, Random } from '@lifeline/core';
import type { Engine } from './execution/drift.ts';

/** Requests a second, and how many may come at once after a rest. */
export interface Rate {
  readonly qps: number;
  readonly burst: number;
}

/** The least and the most of something that is drawn, evenly. */
export type Span = readonly [least: DurationMs, most: DurationMs];

export const drawn = ([least, most]: Span, random: Random): DurationMs => least + (most - least) * random.next();

/** Defaults are Karmada's own. @see karmada-io/karmada@f8fdd02 cmd/controller-manager/app/options, cmd/scheduler/app/options */
export interface Settings {
  /** How changes on members are noticed. Default `new`. */
  readonly engine: Engine;
  /** All controllers' requests to the hub together (`--kube-api-qps`, `--kube-api-burst`). Default 40, 60. */
  readonly hubRate: Rate;
  /** The scheduler's requests to the hub. Default 40, 60. */
  readonly schedulerRate: Rate;
  /** Requests to each member (`--cluster-api-qps`, `--cluster-api-burst`). Default 40, 60. */
  readonly memberRate: Rate;
  /** Workers of a controller. */
  readonly workers: {
    /** Execution, and status of Works: each so many, for all members together (`--concurrent-work-syncs`). Default 5. */
    readonly works: number;
    /** Bindings of both scopes, and their status: each so many. Default 5. */
    readonly bindings: number;
    /** Templates. Default 5. */
    readonly templates: number;
    /** Clusters. Default 5. */
    readonly clusters: number;
    /** Namespaces. Default 1. */
    readonly namespaces: number;
    /** Policies of a namespace. Default 1. */
    readonly policies: number;
    /** Policies of the cluster. Default 1. */
    readonly clusterPolicies: number;
    /** Not a flag: the scheduler works on one binding at a time. Default 1. */
    readonly scheduler: number;
  };
  /** The wait after the first failure, doubled by each further one (`--rate-limiter-base-delay`). Default 5. */
  readonly retryBaseMs: DurationMs;
  /** The longest wait (`--rate-limiter-max-delay`). Default 1,000,000. Nothing but a success shortens it. */
  readonly retryMaxMs: DurationMs;
  /** Retries of a controller together (`--rate-limiter-qps`, `--rate-limiter-bucket-size`). Default 10, 100. */
  readonly retryRate: Rate;
  /** Waits of the scheduler after a failure: first and longest. Default 1,000, 10,000. */
  readonly schedulerRetryMs: Span;
  /** Each cluster is looked at this often (`--cluster-status-update-frequency`). Default 10,000. */
  readonly probeEveryMs: DurationMs;
  /** A cluster that fails so long is not ready (`--cluster-failure-threshold`). Default 30,000. */
  readonly failureThresholdMs: DurationMs;
  /** A cluster that is well so long is ready again (`--cluster-success-threshold`). Default 30,000. */
  readonly successThresholdMs: DurationMs;
  /** Kinds that come to the hub at run time are found this late at the latest. Default 30,000; not a flag in Karmada. */
  readonly discoveryEveryMs: DurationMs;
  /** A request to a member, or to the hub, is given up after this. Default 32,000. */
  readonly requestTimeoutMs: DurationMs;
  /** Namespaces whose objects are left alone, beside the reserved ones (`--skipped-propagating-namespaces`). Default `^kube-.*`. */
  readonly skippedNamespaces: RegExp;
  /** Works of a workload without replicas are kept (`--enable-empty-workload-propagation`). Default false. */
  readonly emptyWorkloads: boolean;
  /**
   * How long the view of a member stays empty after it has become ready again: what is not seen counts as gone when it is to be deleted.
   * Seen: from nothing to over 70 s. Default 0 to 2,500.
   */
  readonly blindAfterOutageMs: Span;
  /**
   * Bindings whose template is gone are deleted so late. Default: not at all, since that is what the hub's garbage collector does. A hub
   * that has one is faster than this.
   */
  readonly collectsBindingsMs?: Span | undefined;
  /** Instructions that a Lua script may take for one call; Karmada gives it a second. Default 1,000,000. */
  readonly luaInstructions: number;
}

/** Any of the settings; the rest are as in Karmada. */
export type GivenSettings = Partial<Omit<Settings, 'workers'>> & { readonly workers?: Partial<Settings['workers']> };

const rate: Rate = { qps: 40, burst: 60 };

const defaults: Settings = {
  engine: 'new',
  hubRate: rate,
  schedulerRate: rate,
  memberRate: rate,
  workers: {
    works: 5,
    bindings: 5,
    templates: 5,
    clusters: 5,
    namespaces: 1,
    policies: 1,
    clusterPolicies: 1,
    scheduler: 1,
  },
  retryBaseMs: 5,
  retryMaxMs: 1_000_000,
  retryRate: { qps: 10, burst: 100 },
  schedulerRetryMs: [1_000, 10_000],
  probeEveryMs: 10_000,
  failureThresholdMs: 30_000,
  successThresholdMs: 30_000,
  discoveryEveryMs: 30_000,
  requestTimeoutMs: 32_000,
  skippedNamespaces: /^kube-.*/,
  emptyWorkloads: false,
  blindAfterOutageMs: [0, 2_500],
  luaInstructions: 1_000_000,
};

/** As the recording was made that this Karmada is held against: faster than Karmada's defaults, for tests that people wait for. */
export const recordedSettings: GivenSettings = {
  hubRate: { qps: 200, burst: 400 },
  workers: { works: 20 },
  retryMaxMs: 10_000,
  probeEveryMs: 2_000,
  failureThresholdMs: 4_000,
  successThresholdMs: 2_000,
};

export const completeSettings = (given: GivenSettings = {}): Settings => ({
  ...defaults,
  ...given,
  workers: { ...defaults.workers, ...given.workers },
});
