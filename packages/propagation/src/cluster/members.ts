/** All members: one for each Cluster with an address, as long as it is there. */
import {
  type Clock,
  findCondition,
  intercept,
  type KarmadaCluster,
  linkAbort,
  type LinkedAbort,
  type Random,
  Secret,
  type Transport,
  untilAborted,
} from '@lifeline/core';
import type { Endpoint, TransportFactory } from '@lifeline/k8s';
import type { Hub } from '../hub.ts';
import type { CacheParts } from '../runtime/caches.ts';
import { Plane } from '../runtime/plane.ts';
import { rateLimited, TokenBucket } from '../runtime/token-bucket.ts';
import { drawn, type Settings } from '../settings.ts';
import { conditions } from '../words.ts';
import { Member, type MemberHandler } from './member.ts';

export interface MembersOptions {
  readonly hub: Hub;
  readonly transport: TransportFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly caches: CacheParts;
}

interface Entry {
  readonly member: Member;
  /** What it was made from: another means another member. */
  readonly way: string;
  readonly life: LinkedAbort;
  /** Its caches are to start again at some time. */
  returning: Disposable | undefined;
}

export class Members {
  readonly #options: MembersOptions;
  readonly #members = new Map<string, Entry>();
  readonly #handlers: MemberHandler[] = [];
  readonly #ending = new Set<Promise<void>>();

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  get(name: string): Member | undefined {
    return this.#members.get(name)?.member;
  }

  /** Told of every event of every kind that is watched on any member. To be called before `run`. */
  subscribe(handler: MemberHandler): void {
    this.#handlers.push(handler);
  }

  /** Follows the Clusters until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { hub } = this.#options;
    using _following = hub.clusters.subscribe((event) => {
      if (event.type === 'deleted') this.#drop(event.object.metadata.name);
      else if (event.type !== 'malformed') this.#follow(event.object, signal);
    });
    await untilAborted(signal);
    for (const name of [...this.#members.keys()]) this.#drop(name);
    await Promise.all(this.#ending);
  }

  #follow(cluster: KarmadaCluster, signal: AbortSignal): void {
    const { name } = cluster.metadata;
    const { apiEndpoint, secretRef, insecureSkipTLSVerification } = cluster.spec;
    const way = JSON.stringify([cluster.metadata.uid, apiEndpoint, secretRef, insecureSkipTLSVerification]);
    if (this.#members.get(name)?.way !== way) {
      this.#drop(name);
      if (apiEndpoint) this.#members.set(name, this.#enter(cluster, way, signal));
    }
    const entry = this.#members.get(name);
    if (entry) this.#heed(entry, findCondition(cluster.status?.conditions, conditions.ready)?.status);
  }

  /** A member that turns not ready loses its caches; when it is ready again they come back, after a while. */
  #heed(entry: Entry, ready: string | null | undefined): void {
    const { clock, random, settings } = this.#options;
    if (ready === 'False') {
      entry.returning?.[Symbol.dispose]();
      entry.returning = undefined;
      entry.member.lose();
    } else if (ready === 'True' && !entry.returning && entry.member.isLost) {
      entry.returning = clock.timer(drawn(settings.blindAfterOutageMs, random), () => {
        entry.returning = undefined;
        entry.member.regain();
      });
    }
  }

  #enter(cluster: KarmadaCluster, way: string, signal: AbortSignal): Entry {
    const { clock, random, settings, caches } = this.#options;
    const life = linkAbort(signal);
    const bucket = new TokenBucket(clock, settings.memberRate);
    const plane = new Plane({
      transport: intercept(this.#wayTo(cluster, life.signal), rateLimited(bucket, clock)),
      baseUrl: cluster.spec.apiEndpoint ?? '',
      clock,
      random,
      timeoutMs: settings.requestTimeoutMs,
      userAgent: 'karmada-controller-manager',
    });
    const handler: MemberHandler = (event, member) => {
      for (const tell of this.#handlers) tell(event, member);
    };
    const member = new Member({ name: cluster.metadata.name, plane, caches, handler, signal: life.signal });
    return { member, way, life, returning: undefined };
  }

  #drop(name: string): void {
    const entry = this.#members.get(name);
    if (!entry) return;
    this.#members.delete(name);
    entry.returning?.[Symbol.dispose]();
    entry.life.abort(new Error(`${name} is no member any more`));
    entry.life[Symbol.dispose]();
    const ending = entry.member.ended().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** The way is opened by the first request, with the credentials that the Cluster names. */
  #wayTo(cluster: KarmadaCluster, life: AbortSignal): Transport {
    let opening: Promise<Transport> | undefined;
    const open = async (): Promise<Transport> => this.#options.transport(await this.#endpointOf(cluster, life), life);
    return async (request, options) => {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return (await opening)(request, options);
    };
  }

  /** @see karmada-io/karmada@f8fdd02 pkg/util/membercluster_client.go: a bearer token, nothing else */
  async #endpointOf({ spec }: KarmadaCluster, signal: AbortSignal): Promise<Endpoint> {
    const server = (spec.apiEndpoint ?? '').replace(/\/$/, '');
    if (!spec.secretRef) return { server };
    const secret = await this.#options.hub.plane.client.get(Secret, spec.secretRef, { signal });
    const valueOf = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
    const ca = valueOf('caBundle');
    return {
      server,
      tls: {
        ...(ca ? { ca: { inline: ca } } : {}),
        ...(spec.insecureSkipTLSVerification ? { insecureSkipVerify: true } : {}),
      },
      credentials: { type: 'token', token: valueOf('token') },
    };
  }
}
