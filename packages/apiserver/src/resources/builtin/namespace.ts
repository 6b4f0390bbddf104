import { isQualifiedName, type JsonObject } from '@lifeline/core';
import { type Cause, forbidden } from '../../api-error.ts';
import { label1123Problems } from '../../dns-syntax.ts';
import { invalidValue } from '../../field-error.ts';
import { type Resource, type StoredObject, type StrategyContext, withFields, withMetadata } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { coreTypes } from './types/core.ts';

interface Namespace {
  readonly spec: JsonObject & { readonly finalizers?: readonly string[] };
  readonly status: JsonObject & { readonly phase?: string; readonly conditions?: readonly JsonObject[] };
}

/** @param object of the resource `namespaces` */
export const namespaceParts = (object: StoredObject): Namespace => object as StoredObject & Namespace;

/** Holds every namespace until whoever empties it has done so. */
export const namespaceFinalizer = 'kubernetes';

/** The label that says the name of the namespace, so that selectors can choose it. */
const nameLabel = 'kubernetes.io/metadata.name';

export const namespaces: Resource = builtinResource({
  kind: 'Namespace',
  plural: 'namespaces',
  types: coreTypes,
  namespaced: false,
  // Not deletecollection.
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  shortNames: ['ns'],
  columns: [column('Status', 'Active or Terminating.'), ageColumn],
  cells: (object, now) => [namespaceParts(object).status.phase ?? '', ageCell(object, now)],
  selectableFields: ['.status.phase'],
  statusSubresource: true,
  strategy: {
    applyDefaults: labelled,
    // A name that the server made up is here by now.
    prepare: (next, old, context) => (old ? changed(next, old, context) : labelled(created(next))),
    validate: (next, old, { subresource }) =>
      old ? changeFlaws(next, subresource) : finalizerFlaws(next, () => 'spec.finalizers'),
    nameProblems: label1123Problems,
    startDeletion: terminating,
    returnsDeleted: true,
    isHeld: (object) => (namespaceParts(object).spec.finalizers ?? []).length > 0,
  },
});

/**
 * The namespaces that every plane has from its start. Not stored yet: without resourceVersion.
 * @param now RFC 3339, whole seconds
 */
export const initialNamespaces = ({ now, uid }: { now: string; uid: () => string }): readonly StoredObject[] =>
  ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) =>
    labelled(
      created({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, uid: uid(), creationTimestamp: now },
        spec: {},
      }),
    ),
  );

function created(next: StoredObject): StoredObject {
  const { finalizers = [], ...spec } = namespaceParts(next).spec;
  const complete = finalizers.includes(namespaceFinalizer) ? finalizers : [...finalizers, namespaceFinalizer];
  return withFields(next, { spec: { ...spec, finalizers: complete }, status: { phase: 'Active' } });
}

/** Its finalizers change through `finalize` only, its status through `status`. */
function changed(next: StoredObject, old: StoredObject, { subresource }: StrategyContext): StoredObject {
  const { spec, status } = namespaceParts(old);
  if (subresource === 'finalize') return withFields(next, { status });
  if (subresource === 'status') return withFields(next, { spec });
  return withFields(next, { spec, status });
}

function labelled(object: StoredObject): StoredObject {
  const { name, labels } = object.metadata;
  if (!name || labels?.[nameLabel] === name) return object;
  return withMetadata(object, { labels: { ...labels, [nameLabel]: name } });
}

const immortal = ['default', 'kube-system', 'kube-public'];

function terminating(object: StoredObject): StoredObject {
  const { name } = object.metadata;
  if (name !== undefined && immortal.includes(name)) {
    throw forbidden({ resource: namespaces, name }, 'this namespace may not be deleted');
  }
  return withFields(object, { status: { ...namespaceParts(object).status, phase: 'Terminating' } });
}

/** @param pathOf where the finalizer at an index is told to be */
function finalizerFlaws(object: StoredObject, pathOf: (index: number) => string): readonly Cause[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return (namespaceParts(object).spec.finalizers ?? []).flatMap((name, index) =>
    name === namespaceFinalizer || (name.includes('/') && isQualifiedName(name))
      ? []
      : [invalidValue(pathOf(index), name, detail)],
  );
}

function changeFlaws(next: StoredObject, subresource: string | undefined): readonly Cause[] {
  if (subresource === 'finalize') return finalizerFlaws(next, (index) => `spec.finalizers[${index}]`);
  if (subresource !== 'status') return [];
  const { phase = '' } = namespaceParts(next).status;
  const [wanted, when] = next.metadata.deletionTimestamp ? ['Terminating', 'not empty'] : ['Active', 'empty'];
  if (phase === wanted) return [];
  // Written with a capital, as a real server has it.
  return [invalidValue('status.Phase', phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${when}`)];
}
