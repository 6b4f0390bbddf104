/** The lists by which a member's object says which of its labels and annotations came from the hub. */
import { annotationOf, type Manifest, withKeys } from '../manifest.ts';
import { annotations } from '../words.ts';

/** The object with both lists: all keys it has now, the lists' own included. */
export function recordManagedKeys(object: Manifest): Manifest {
  const keys = (map: Manifest['metadata']['labels']): readonly string[] => Object.keys(map ?? {});
  const managedLabels = list(keys(object.metadata.labels));
  const own = [annotations.managedAnnotations, annotations.managedLabels];
  const managedAnnotations = list([...new Set([...keys(object.metadata.annotations), ...own])]);
  return withKeys(object, {
    annotations: {
      [annotations.managedLabels]: managedLabels,
      [annotations.managedAnnotations]: managedAnnotations,
    },
  });
}

const list = (keys: readonly string[]): string => keys.toSorted().join(',');

/** Keys that the hub has brought, as a member's object says. */
export const managedKeys = (observed: Manifest, of: 'labels' | 'annotations'): ReadonlySet<string> =>
  new Set(
    (annotationOf(observed, of === 'labels' ? annotations.managedLabels : annotations.managedAnnotations) ?? '')
      .split(',')
      .filter((key) => key !== ''),
  );
