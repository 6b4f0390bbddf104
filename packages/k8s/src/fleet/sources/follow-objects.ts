import { keyOf, type KubeObject } from '@lifeline/core';
import type { Informer } from '../../cache/informer.ts';
import type { Cluster } from '../cluster.ts';

export interface Followers<T> {
  /** There, now in this shape. */
  readonly present: (object: T) => void;
  /** Not there any more. An object in a shape that its schema refuses is there: nothing is told until it is sound, or gone. */
  readonly gone: (name: string) => void;
}

/** Follows the objects of an informer for the life of its cluster. */
export function followObjects<T extends KubeObject>(
  cluster: Cluster,
  informer: Informer<T>,
  { present, gone }: Followers<T>,
): void {
  const subscription = informer.subscribe((event) => {
    switch (event.type) {
      case 'added':
      case 'updated':
        return present(event.object);
      case 'deleted':
        return gone(event.object.metadata.name);
      case 'malformed':
        if (!informer.store.has(keyOf(event.object))) gone(event.object.metadata.name);
    }
  });
  cluster.signal.addEventListener('abort', () => subscription[Symbol.dispose](), { once: true });
}
