/** The hub copy as it should be: a pure function of the upstream object and the policy of its kind. */
import {
  Gateway,
  identityOf,
  type Int64,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  ownValue,
  type UpstreamName,
} from '@lifeline/core';
import type { KindPolicy } from './policy.ts';

/** Fields that are ours whole on every copy. */
export const bodyFields = ['spec', 'data', 'binaryData', 'type', 'immutable'] as const;

export interface DesiredCopy {
  readonly labels: Readonly<Record<string, string>>;
  /** Without those of the mirrored status. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Of {@link bodyFields}, those that upstream has. */
  readonly body: JsonObject;
}

export interface DesiredInputs {
  readonly policy: KindPolicy;
  readonly target: UpstreamName;
  /** As it was read, its uid included. */
  readonly upstream: KubeObject;
  readonly installation: string;
}

/** Guarantee: equal inputs, equal copy. Nothing of the upstream metadata travels but name, uid, generation and the carried labels. */
export function desiredCopy({ policy, target, upstream, installation }: DesiredInputs): DesiredCopy {
  const { uid = '', generation } = upstream.metadata as { uid?: string; generation?: Int64 };
  const identity = identityOf({ ...target, uid, generation }, installation);
  return {
    labels: { ...carriedLabels(policy, upstream), ...identity.labels },
    annotations: identity.annotations,
    body: bodyOf(policy, upstream),
  };
}

const carriedLabels = ({ carriedLabels: keys }: KindPolicy, { metadata }: KubeObject): Record<string, string> =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = ownValue(metadata.labels ?? {}, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** Top-level null means absent. */
function bodyOf(policy: KindPolicy, upstream: KubeObject): JsonObject {
  const all = upstream as unknown as JsonObject;
  const body = Object.fromEntries(
    bodyFields.flatMap((field) => {
      const value = ownValue(all, field);
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  ) as Record<string, JsonValue>;
  const { spec } = body;
  if (policy.kind.id !== Gateway.id || !isJsonObject(spec)) return body;
  const upstreamClass = spec['gatewayClassName'];
  const downstreamClass =
    typeof upstreamClass === 'string' ? ownValue(policy.gatewayClasses, upstreamClass) : undefined;
  return downstreamClass === undefined ? body : { ...body, spec: { ...spec, gatewayClassName: downstreamClass } };
}
