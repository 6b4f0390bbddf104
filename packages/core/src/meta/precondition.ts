/** Tests that a JSON patch begins with. A failed one makes the API server refuse the whole patch (422): read again, decide again. */
import type { JsonPatchOperation } from '../patch/json-patch.ts';

/** What the patch builders need to know of an object that was read from a server. */
export interface ReadObject {
  readonly metadata: {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly deletionTimestamp?: string | null | undefined;
    readonly finalizers?: readonly string[] | null | undefined;
  };
}

/** Passes only on this very object, never on one made anew under its name. */
export const testUid = ({ metadata }: ReadObject): JsonPatchOperation => ({
  op: 'test',
  path: '/metadata/uid',
  value: metadata.uid ?? null,
});

/** Passes only while nobody has written the object since it was read. For what no narrower test can say: JSON patch cannot test absence. */
export const testResourceVersion = ({ metadata }: ReadObject): JsonPatchOperation => ({
  op: 'test',
  path: '/metadata/resourceVersion',
  value: metadata.resourceVersion ?? null,
});
