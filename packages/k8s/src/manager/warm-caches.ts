import type { Controller } from '../controller/define-controller.ts';

/** Starts the informers that these controllers will read, in every cluster that is or will be engaged, so that a new leader need not list. */
export function warmCaches(controllers: readonly Controller[]): Disposable {
  const subscriptions = controllers
    .flatMap(({ watches }) => watches)
    .map((watch) => watch.provider.subscribe((cluster) => void watch.informer(cluster)));
  return {
    [Symbol.dispose]: () => {
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
    },
  };
}
