/**
 * What a scenario plays on, in virtual time in one process or on real control planes with a real Envoy: projects, edges, agents, and people
 * who ask for a page.
 */
import type { DurationMs, EpochMs, Kind, KubeObject, Liveness, ObjectName } from '@lifeline/core';

/** A connector and who holds its tunnel. */
export interface TunnelEnd {
  readonly project: string;
  readonly namespace: string;
  /** Of the Connector. */
  readonly name: string;
  readonly nodeId: string;
}

/** An HTTPProxy as the world sees it. */
export interface Site {
  readonly project: string;
  readonly namespace: string;
  /** Of the HTTPProxy, its Gateway and its HTTPRoute. */
  readonly name: string;
  readonly hostname: string;
}

/** What somebody who asks for a page gets. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
}

/** A tunnel as the tunnel gateway sees it. */
export interface Tunnel {
  /** `host:port` that was asked for. */
  readonly authority: string;
  readonly nodeId: string;
}

/** An agent process. It renews its connectors' Leases every second. */
export interface StageAgent {
  /** Gone, and nothing says so but silence. */
  kill(): Promise<void>;
  /** It stands still. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  start(): Promise<void>;
}

export interface Scenario {
  readonly name: string;
  /** `authorities`: Envoys of the stage believe an authority of its own. */
  readonly needs?: 'authorities' | undefined;
  /** @throws Error when something does not happen that should */
  play(stage: Stage): Promise<void>;
}

export interface Stage {
  /** How many make a crowd here. */
  readonly crowd: number;
  /** After how many tries a time that is too long is no accident: on a machine that is shared, others may cost seconds. */
  readonly tries: number;
  readonly projects: readonly string[];
  readonly edges: readonly string[];
  /** What Leases of connectors are made with. */
  readonly leaseMs: DurationMs;
  /** Makes a namespace in a project that no other scenario uses. */
  namespace(project: string): Promise<string>;
  nodeId(): string;
  create(project: string, kind: Kind, object: object): Promise<void>;
  patch(
    project: string,
    target: { readonly kind: Kind; readonly name: ObjectName; readonly subresource?: 'status' },
    body: object,
  ): Promise<void>;
  delete(project: string, kind: Kind, name: ObjectName): Promise<void>;
  /** What a plane has of an object of a project: a project itself, the hub, or an edge. */
  seen<T extends KubeObject>(
    plane: string,
    kind: Kind<T>,
    of: { readonly project: string; readonly namespace: string; readonly name: string },
  ): Promise<T | undefined>;
  /** What an edge believes of a connector. */
  believed(edge: string, end: TunnelEnd): Promise<Liveness>;
  agent(...ends: readonly TunnelEnd[]): Promise<StageAgent>;
  /** As a browser: to the site's hostname unless said. */
  ask(edge: string, site: Site, path?: string): Promise<Answer>;
  /** Tunnels that were opened to a node. */
  tunnels(nodeId: string): Promise<readonly Tunnel[]>;
  /** What the private service behind a node answers. */
  bodyOf(nodeId: string, path: string): string;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** What clocks on walls show: agents write it into Leases. */
  wall(): EpochMs;
  /** Waits until it is so; gives how long it took. @throws Error with `what`, when it takes longer than the limit (default 60 s) */
  until(what: string, holds: () => Promise<boolean>, limitMs?: DurationMs): Promise<DurationMs>;
}
