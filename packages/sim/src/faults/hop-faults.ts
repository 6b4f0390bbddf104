/** Propagation between hub and members out of step. */
import { between, type Fault, numberArg, pick, textArg } from './fault.ts';

/** What a small Karmada can be made to do. */
export interface HopControls {
  /** Carries nothing for a while; disposing goes on, in an order drawn from `random`. */
  readonly pause: (random: () => number) => Disposable;
  /** Each object takes this much longer, each its own share of it. */
  readonly delay: (ms: number) => Disposable;
  /** Writes an empty status up, once for each object that has one, and says for how many. */
  readonly clearStatus: () => number;
  /** No cluster fits. */
  readonly noCluster: () => Disposable;
}

/** F22: the hop delays and reorders per object, writes empty statuses, finds no cluster. */
export const hopDisorder: Fault = {
  id: 'F22',
  draw: (random, { planes }) =>
    planes.some(({ role }) => role === 'hub')
      ? {
          args: {
            how: pick(random, ['pause', 'delay', 'clear-status', 'no-cluster']),
            delayMs: between(random, 1, 30) * 1_000,
          },
          forMs: between(random, 1, 60) * 1_000,
        }
      : undefined,
  begin: ({ world, step, random, fired }) => {
    const hop = world.karmada?.controls;
    if (!hop) return undefined;
    const how = textArg(step, 'how') ?? '';
    if (how === 'clear-status') {
      if (hop.clearStatus() > 0) fired();
      return undefined;
    }
    fired();
    switch (how) {
      case 'pause':
        return hop.pause(() => random.next());
      case 'delay':
        return hop.delay(numberArg(step, 'delayMs', 1_000));
      default:
        return hop.noCluster();
    }
  },
};
