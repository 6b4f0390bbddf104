/** What is demanded of a custom resource beyond its schema. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '@lifeline/core';
import { type Cause, forbidden as notAllowed } from '../../api-error.ts';
import { invalidValue } from '../../field-error.ts';
import { goPrint, goQuote } from '../../go-text.ts';
import { goTypeName, isInt64, isNumber } from '../../go-type.ts';
import { keysOfPath } from '../../simple-path.ts';
import { standardFinalizers } from '../../write/finalizers.ts';
import type { Resource, ScalePaths, StoredObject, Strategy } from '../resource.ts';

export interface CustomResourceOptions {
  readonly scale: ScalePaths | false;
  /** Its definition waits to be deleted. */
  readonly terminating: boolean;
  readonly subject: Pick<Resource, 'group' | 'plural' | 'kind'>;
}

export const customResourceStrategy = ({ scale, terminating, subject }: CustomResourceOptions): Strategy => ({
  ...(terminating ? { prepare: refuseCreates(subject) } : {}),
  ...(scale ? { validate: (next, _old, { subresource }) => scaleFlaws(next, scale, subresource === 'status') } : {}),
  warnings: (next, old) => finalizerWarnings(next, old),
});

const refuseCreates =
  (resource: CustomResourceOptions['subject']): NonNullable<Strategy['prepare']> =>
  (next, old) => {
    if (old) return next;
    throw notAllowed(
      { resource, name: next.metadata.name },
      'create not allowed while custom resource definition is terminating',
    );
  };

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/validator.go */
function scaleFlaws(object: StoredObject, scale: ScalePaths, statusOnly: boolean): readonly Cause[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(statusOnly ? [] : replicaFlaws(object, specReplicasPath)),
    ...replicaFlaws(object, statusReplicasPath),
    ...(labelSelectorPath ? selectorFlaws(object, labelSelectorPath) : []),
  ];
}

const largestInt32 = 2 ** 31 - 1;

function replicaFlaws(object: JsonObject, path: string): readonly Cause[] {
  const value = valueAt(object, path);
  if (value === undefined) return [];
  if (value instanceof Unreachable) return [invalidValue(path, 0, value.why(path))];
  if (!isNumber(value) || !isInt64(value)) {
    return [invalidValue(path, 0, new Unreachable(value, 'int64').why(path))];
  }
  if (Number(value) < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  const tooMany = `should be less than or equal to ${largestInt32}`;
  return Number(value) > largestInt32 ? [invalidValue(path, value, tooMany)] : [];
}

function selectorFlaws(object: JsonObject, path: string): readonly Cause[] {
  const value = valueAt(object, path);
  if (value === undefined || typeof value === 'string') return [];
  const flaw = value instanceof Unreachable ? value : new Unreachable(value, 'string');
  return [invalidValue(path, '', flaw.why(path))];
}

/** A value of another type than was wanted. */
class Unreachable {
  readonly #found: JsonValue;
  readonly #wanted: string;

  constructor(found: JsonValue, wanted: string) {
    this.#found = found;
    this.#wanted = wanted;
  }

  why(path: string): string {
    const found = this.#found;
    return `${path} accessor error: ${goPrint(found)} is of the type ${goTypeName(found)}, expected ${this.#wanted}`;
  }
}

/** Undefined: there is none. */
function valueAt(object: JsonObject, path: string): JsonValue | Unreachable | undefined {
  let at: JsonValue | undefined = object;
  for (const name of keysOfPath(path)) {
    if (at === undefined || at === null) return undefined;
    if (!isJsonObject(at)) return new Unreachable(at, 'map[string]interface{}');
    at = ownValue(at, name);
  }
  return at;
}

/** Of finalizers that are new, sorted. */
function finalizerWarnings(next: StoredObject, old: StoredObject | undefined): readonly string[] {
  const before = new Set([...(old?.metadata.finalizers ?? []), ...standardFinalizers]);
  const added = new Set((next.metadata.finalizers ?? []).filter((name) => !before.has(name) && !name.includes('/')));
  return [...added].sort().map((name) => {
    const better = `prefer a domain-qualified finalizer name${name.includes('.') ? ' including a path (/)' : ''}`;
    return `metadata.finalizers: ${goQuote(name)}: ${better} to avoid accidental conflicts with other finalizer writers`;
  });
}
