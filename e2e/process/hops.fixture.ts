/** When each place along the way shows a flip, as watches of its plane and questions to its Envoy see it. */
import {
  annotations,
  classifyLiveness,
  classifyStatus,
  Connector,
  describeError,
  type DurationMs,
  Gateway,
  type Kind,
  type KubeObject,
  systemClock,
} from '@lifeline/core';
import { isOffline } from '../scenarios/acts.ts';
import type { Site, TunnelEnd } from '../scenarios/stage.ts';
import type { ProcessStage } from './stage.fixture.ts';

type State = 'online' | 'offline';

/**
 * In the order in which a flip passes them; at an edge the stamp has Envoy Gateway ask, and its Envoy shows the answer. Where all Gateways share
 * an Envoy there may be no stamp: a call for another's answers for all.
 */
const places = ['Ready', 'hub', 'edge-1', 'stamp', 'Envoy'] as const;
type Place = (typeof places)[number];

type Hop = readonly [from: Place, to: Place];

/** Each hop, and whose the time was. */
const parts: Readonly<Record<string, readonly Hop[]>> = {
  '`Ready` → hub, ours': [['Ready', 'hub']],
  "hub → edge, Karmada's": [['hub', 'edge-1']],
  'edge → stamp, ours': [['edge-1', 'stamp']],
  "stamp → Envoy, Envoy Gateway's with our hook in it": [['stamp', 'Envoy']],
  ours: [
    ['Ready', 'hub'],
    ['edge-1', 'stamp'],
  ],
  'the others’, with our hook': [
    ['hub', 'edge-1'],
    ['stamp', 'Envoy'],
  ],
  'all: `Ready` → Envoy': [['Ready', 'Envoy']],
};

/** Undefined: the flip did not come by one of the places. */
function timeOf(flip: ReadonlyMap<Place, number>, hops: readonly Hop[]): DurationMs | undefined {
  let sum = 0;
  for (const [from, to] of hops) {
    const [left, came] = [flip.get(from), flip.get(to)];
    if (left === undefined || came === undefined) return undefined;
    sum += came - left;
  }
  return sum;
}

const everyMs = 5;

export class Hops implements AsyncDisposable {
  readonly #stage: ProcessStage;
  readonly #site: Site;
  readonly #end: TunnelEnd;
  readonly #stop = new AbortController();
  readonly #work: Promise<void>[] = [];
  readonly #seen: Record<State, Map<Place, number>[]> = { online: [], offline: [] };
  #state: State = 'online';
  #flip = new Map<Place, number>();
  #stamp = '';

  constructor(stage: ProcessStage, site: Site, end: TunnelEnd) {
    this.#stage = stage;
    this.#site = site;
    this.#end = end;
  }

  /** Resolves when all watches have begun. */
  async open(): Promise<void> {
    const { project } = this.#site;
    await Promise.all([
      this.#follow(project, Connector, ({ status }) => this.#shows('Ready', classifyStatus(status).state)),
      this.#follow('hub', Connector, (copy) => this.#shows('hub', classifyLiveness(copy).state)),
      this.#follow('edge-1', Connector, (copy) => this.#shows('edge-1', classifyLiveness(copy).state)),
      this.#follow('edge-1', Gateway, ({ metadata }) =>
        this.#stamped(metadata.annotations?.[annotations.intent] ?? ''),
      ),
    ]);
    this.#work.push(this.#ask());
  }

  begin(state: State): void {
    this.#state = state;
    this.#flip = new Map();
  }

  /** Waits until every place has shown it, and somebody has stamped or need not. */
  async end(): Promise<void> {
    const missing = (): readonly Place[] => places.filter((place) => place !== 'stamp' && !this.#flip.has(place));
    await this.#stage.until(
      `all show ${this.#state}; so far ${[...this.#flip.keys()].join(', ')}`,
      async () => missing().length === 0,
    );
    this.#seen[this.#state].push(this.#flip);
  }

  /**
   * Percentiles of each hop, in milliseconds, of the flips that took it.
   *
   * @param hookMs how long calls of our hook took meanwhile, which are part of the way from the stamp to Envoy
   */
  table(hookMs: readonly DurationMs[]): string {
    const states = ['offline', 'online'] as const;
    const rows = states.flatMap((state) =>
      Object.entries(parts).map(([name, hops]) =>
        row(
          `${state}: ${name}`,
          this.#seen[state].flatMap((flip) => timeOf(flip, hops) ?? []),
        ),
      ),
    );
    rows.push(row('a call of the hook, ours', hookMs));
    return ['| hop | p50 ms | p90 ms | p99 ms | flips |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work);
  }

  #shows(place: Place, state: string): void {
    if ((state === 'online' ? 'online' : 'offline') === this.#state) this.#note(place);
  }

  #stamped(stamp: string): void {
    if (this.#stamp !== '' && stamp !== this.#stamp) this.#note('stamp');
    this.#stamp = stamp;
  }

  #note(place: Place): void {
    if (!this.#flip.has(place)) this.#flip.set(place, systemClock.monotonic());
  }

  async #ask(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const answer = await this.#stage.ask('edge-1', this.#site);
      if (answer.status === 200) this.#shows('Envoy', 'online');
      if (isOffline(answer)) this.#shows('Envoy', 'offline');
      await systemClock.sleep(everyMs);
    }
  }

  async #follow<T extends KubeObject>(plane: string, kind: Kind<T>, see: (object: T) => void): Promise<void> {
    const client = await this.#stage.client(plane);
    const { signal } = this.#stop;
    const namespace = plane === this.#site.project ? this.#site.namespace : this.#stage.mapped(this.#site);
    const name = kind.kind === Gateway.kind ? this.#site.name : this.#end.name;
    const fieldSelector = `metadata.name=${name}`;
    const open = () => client.watch(kind, { signal, namespace, fieldSelector, timeoutSeconds: 3600 });
    let events = await open();
    const run = async (): Promise<void> => {
      for (;;) {
        try {
          for await (const event of events) if (event.type !== 'bookmark') see(event.object);
          events = await open();
        } catch (error) {
          if (signal.aborted) return;
          throw new Error(`the watch of ${plane} ended: ${describeError(error)}`);
        }
      }
    };
    this.#work.push(run());
  }
}

function row(name: string, values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN).toFixed(0);
  return `| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${sorted.length} |`;
}
