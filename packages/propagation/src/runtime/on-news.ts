import type { KubeObject } from '@lifeline/core';
import type { Predicate, SharedInformer } from '@lifeline/k8s';

/** Tells of each object that comes, or changes so that the predicate lets it through. Of one that is gone, or not sound, nothing is told. */
export function onNews<T extends KubeObject>(
  cache: SharedInformer<T>,
  predicate: Predicate<T>,
  tell: (object: T) => void,
): void {
  cache.subscribe((event) => {
    if (event.type !== 'malformed' && event.type !== 'deleted' && predicate(event)) tell(event.object);
  });
}
