/** Calls between an Envoy Gateway and the hook that do not go as they should. */
import { InjectedHookError } from '../edge/envoy-gateway.ts';
import type { Hook, HookInterceptor } from '../edge/hook.ts';
import { between, type Fault, type FaultSite, numberArg, pick, textArg, together, undo } from './fault.ts';

/** F25: a call is lost, late or doubled, goes to another replica, or its answer is refused. */
export const hookFault: Fault = {
  id: 'F25',
  draw: (random, { planes }) =>
    planes.some(({ role }) => role === 'edge')
      ? {
          args: {
            how: pick(random, ['unavailable', 'internal', 'late', 'doubled', 'other-replica', 'refused']),
            chance: pick(random, [0.3, 1]),
            delayMs: between(random, 10, 20_000),
          },
          forMs: between(random, 1, 30) * 1_000,
        }
      : undefined,
  begin: (site) => {
    const interceptor = intercepting(site);
    return together(
      ...[...site.world.edges.values()].map(({ interceptors }) => {
        interceptors.add(interceptor);
        return undo(() => interceptors.delete(interceptor));
      }),
    );
  },
};

const intercepting =
  (site: FaultSite): HookInterceptor =>
  (next, all) =>
  async (request, options) => {
    const { step, random, fired } = site;
    if (random.next() >= numberArg(step, 'chance', 1)) return next(request, options);
    fired();
    return struck(site, next, all)(request, options);
  };

const struck =
  ({ world, step }: FaultSite, next: Hook, all: readonly Hook[]): Hook =>
  async (request, options) => {
    switch (textArg(step, 'how') ?? '') {
      case 'unavailable':
        throw new InjectedHookError('UNAVAILABLE', 'by chance');
      case 'internal':
        throw new InjectedHookError('INTERNAL', 'by chance');
      case 'late': {
        await world.clock.sleep(numberArg(step, 'delayMs', 1_000), options.signal);
        return next(request, options);
      }
      case 'doubled':
        await next(request, options);
        return next(request, options);
      case 'other-replica':
        return (all.at(-1) ?? next)(request, options);
      default:
        await next(request, options);
        throw new InjectedHookError('RESOURCE_EXHAUSTED', 'the answer was refused');
    }
  };
