/** What Karmada must know of a kind beyond carrying it. */
import type { JsonObject, JsonValue, ResourceBinding } from '@lifeline/core';
import { type KindName, kindName, type Manifest } from '../manifest.ts';

/** What one cluster's copy last said, as the binding holds it. */
export type AggregatedItem = NonNullable<NonNullable<ResourceBinding['status']>['aggregatedStatus']>[number];

export interface Replicas {
  readonly replicas: number;
  /** Undefined and no replicas: no workload at all. */
  readonly requirements: JsonObject | undefined;
}

/** Any operation may throw: that blocks the object's Work, or its status, until a retry succeeds. None may change its input. */
export interface KindInterpreter {
  readonly getReplicas?: ((object: Manifest) => Replicas) | undefined;
  readonly reviseReplica?: ((object: Manifest, replicas: number) => Manifest) | undefined;
  readonly retain?: ((desired: Manifest, observed: Manifest) => Manifest) | undefined;
  /** Undefined: no status. */
  readonly reflectStatus?: ((object: Manifest) => JsonValue | undefined) | undefined;
  /** The template with the status that its copies add up to. */
  readonly aggregateStatus?: ((template: Manifest, items: readonly AggregatedItem[]) => Manifest) | undefined;
  readonly interpretHealth?: ((object: Manifest) => boolean) | undefined;
}

/** The operations known for a kind. Undefined: none. */
export type InterpreterSource = (kind: KindName) => KindInterpreter | undefined;

/** Operations by kind, looked for in several sources: each operation is taken from the first that has it. */
export class Interpreters {
  readonly #sources: readonly InterpreterSource[];

  constructor(...sources: readonly InterpreterSource[]) {
    this.#sources = sources;
  }

  for(object: Pick<Manifest, 'apiVersion' | 'kind'>): KindInterpreter {
    return firstOfEach(this.#sources.map((source) => source(kindName(object))));
  }
}

/** Each operation from the first interpreter that has it. */
export function firstOfEach(interpreters: readonly (KindInterpreter | undefined)[]): KindInterpreter {
  const first = <Operation extends keyof KindInterpreter>(operation: Operation): KindInterpreter[Operation] =>
    interpreters.find((interpreter) => interpreter?.[operation])?.[operation];
  return {
    getReplicas: first('getReplicas'),
    reviseReplica: first('reviseReplica'),
    retain: first('retain'),
    reflectStatus: first('reflectStatus'),
    aggregateStatus: first('aggregateStatus'),
    interpretHealth: first('interpretHealth'),
  };
}
