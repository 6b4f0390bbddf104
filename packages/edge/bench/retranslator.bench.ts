/**
 * The closed loop at size: every connector flips at once, and what that costs the retranslator in stamps, time and CPU.
 *
 * Run: `node --conditions=@lifeline/source packages/edge/bench/retranslator.bench.ts`
 */
import { annotations, canonicalJson, type DurationMs, intentVersion, type ObjectKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { LiveIndex, type ReportMessage, type ReportRow, Retranslator, type SeenConnector } from '@lifeline/edge';
import { createLog, createMetrics } from '@lifeline/k8s';

interface Scene {
  readonly what: string;
  readonly count: number;
  readonly merged: boolean;
  /** A translation with its call. */
  readonly callMs: DurationMs;
}

const scenes: readonly Scene[] = [
  { what: '5,000 merged', count: 5_000, merged: true, callMs: 1_500 },
  { what: '1,000 unmerged', count: 1_000, merged: false, callMs: 20 },
  { what: '5,000 unmerged', count: 5_000, merged: false, callMs: 20 },
];

const connector = (i: number, ready: boolean): SeenConnector => ({
  metadata: {
    annotations: {
      [annotations.upstreamStatus]: canonicalJson({
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
        connectionDetails: { type: 'PublicKey', publicKey: { id: i.toString(16).padStart(64, '0') } },
      }),
    },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
});
const namespaces = 500;
const keyOf = (i: number): ObjectKey => `ns-${i % namespaces}/g-${i}`;

/** One Envoy Gateway process: its calls, one after the other, as its server reports them. */
class EnvoyGateway {
  calls = 0;
  readonly #queue = new Set<string>();
  readonly #scene: Scene;
  readonly #clock: VirtualClock;
  readonly #index: LiveIndex;
  readonly #told = new Map<ObjectKey, string>();
  readonly #say: (message: ReportMessage) => void;
  #working = false;

  constructor(
    scene: Scene,
    { clock, index, say }: { clock: VirtualClock; index: LiveIndex; say: (message: ReportMessage) => void },
  ) {
    this.#scene = scene;
    this.#clock = clock;
    this.#index = index;
    this.#say = say;
  }

  changed(key: ObjectKey): void {
    this.#queue.add(this.#scene.merged ? '*' : key);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let [next] = this.#queue; next !== undefined; [next] = this.#queue) {
      this.#queue.delete(next);
      const keys = next === '*' ? Array.from({ length: this.#scene.count }, (_, i) => keyOf(i)) : [next];
      await this.#call(next, keys);
    }
    this.#working = false;
  }

  async #call(group: string, keys: readonly ObjectKey[]): Promise<void> {
    const call = ++this.calls;
    const report = (phase: 'started' | 'answered', rows: readonly ReportRow[]): void =>
      this.#say({
        ...{ at: 'call', replica: 'r1', call, caller: '10.0.0.1', phase, group, rows },
        ...{ indexRevision: this.#index.revision, ageMs: 0, digestVersion: intentVersion },
      });
    report('started', []);
    await this.#clock.sleep(this.#scene.callMs);
    report(
      'answered',
      keys.flatMap((key): ReportRow[] => {
        const intent = this.#index.intent(key);
        if (this.#told.get(key) === intent) return [];
        this.#told.set(key, intent);
        const [namespace = '', name = ''] = key.split('/');
        return [{ namespace, name, stamp: '', intent, outcome: 'programmed', reason: '' }];
      }),
    );
  }
}

async function measure(scene: Scene): Promise<void> {
  const clock = new VirtualClock();
  const index = new LiveIndex({ clock, classes: ['edge'] });
  let stamps = 0;
  const set = (i: number, ready: boolean): void => void index.setConnector(keyOf(i), connector(i, ready));
  const setStamp = (key: ObjectKey, stamp: string | null): void => {
    const metadata = stamp === null ? {} : { annotations: { [annotations.intent]: stamp } };
    index.setGateway(key, { metadata, spec: { gatewayClassName: 'edge' } });
  };
  for (let i = 0; i < namespaces; i++) index.setNamespace(`ns-${i}`, true);
  for (let i = 0; i < scene.count; i++) {
    set(i, true);
    const [, name = ''] = keyOf(i).split('/');
    const backends = [{ endpoint: 'http://localhost:8080', connector: { name } }];
    index.setHTTPProxy(keyOf(i), { spec: { rules: [{ backends }] } });
    setStamp(keyOf(i), null);
  }
  index.markSynced();
  for (let i = 0; i < scene.count; i++) setStamp(keyOf(i), index.intent(keyOf(i)));
  using retranslator = new Retranslator({
    ...{ clock, index, metrics: createMetrics(), log: createLog({ clock, write: () => undefined }) },
    write: (key, value) => {
      stamps++;
      // The cache hears of it a little later, and Envoy Gateway too.
      clock.timer(10, () => setStamp(key, value));
      clock.timer(20, () => gateway.changed(key));
      return Promise.resolve('written');
    },
  });
  const gateway = new EnvoyGateway(scene, { clock, index, say: (message) => retranslator.take(message) });
  retranslator.programmed.replayed('r1', [{ at: 'synced', replica: 'r1', digestVersion: intentVersion }]);
  for (let i = 0; i < scene.count; i++) gateway.changed(keyOf(i));
  await clock.advance(900_000);
  if (retranslator.unconverged > 0)
    throw new Error(`${scene.what}: ${retranslator.unconverged} not converged at first`);

  stamps = 0;
  const { calls } = gateway;
  const began = clock.monotonic();
  const used = process.cpuUsage();
  for (let i = 0; i < scene.count; i++) set(i, false);
  while (retranslator.unconverged > 0 && (await clock.step())) if (clock.monotonic() - began > 3_600_000) break;
  const { user, system } = process.cpuUsage(used);
  const seconds = (clock.monotonic() - began) / 1000;
  const cells = [scene.what, stamps, gateway.calls - calls, seconds.toFixed(1), ((user + system) / 1000).toFixed(0)];
  console.log(`| ${cells.join(' | ')} |`);
}

console.log('Every connector flips at once; one Envoy Gateway. CPU: of the index, the retranslator and this script.\n');
console.log('| Gateways | stamps | calls | until converged, s (virtual) | CPU, ms |\n|---|---|---|---|---|');
for (const scene of scenes) await measure(scene);
