/** Small JSON patches (RFC 6902) on one object, built from what was read of it. */
import type { JsonNumber } from '../json/value.ts';

/** A value inside a patch: JSON, open types included. */
export type EditValue =
  string | number | boolean | null | JsonNumber | readonly unknown[] | Readonly<Record<string, unknown>>;

/** One operation. A failed `test` makes the API server refuse the whole patch (422): read again, decide again. */
export type EditOp =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: EditValue }
  | { readonly op: 'remove'; readonly path: string };

/** What the builders need to know of an object that was read from a server. */
export interface ReadObject {
  readonly metadata: {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
    readonly deletionTimestamp?: string | null | undefined;
    readonly finalizers?: readonly string[] | null | undefined;
  };
}

/** Passes only on this very object, never on one made anew under its name. */
export const testUid = ({ metadata }: ReadObject): EditOp => ({
  op: 'test',
  path: '/metadata/uid',
  value: metadata.uid ?? null,
});

/** Passes only while nobody has written the object since it was read. For what no narrower test can say: JSON patch cannot test absence. */
export const testResourceVersion = ({ metadata }: ReadObject): EditOp => ({
  op: 'test',
  path: '/metadata/resourceVersion',
  value: metadata.resourceVersion ?? null,
});
