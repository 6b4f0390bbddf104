/** Kinds that Lifeline has no schema of. */
import type { KubeObject } from '../meta/object.ts';
import { defineKind, type Kind } from './kind.ts';
import { kubeObject } from './schema.ts';

interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** A namespaced kind of which only the metadata is checked. It is taken to have a status subresource, as nearly all have. */
export const unknownKind = (name: KindName): Kind =>
  defineKind<KubeObject>({ ...name, scope: 'Namespaced', statusSubresource: true, schema: kubeObject({}) });
