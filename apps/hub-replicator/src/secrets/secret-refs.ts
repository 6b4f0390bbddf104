/** The Secrets that a SecurityPolicy names. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  objectKey,
  ownValue,
} from '@lifeline/core';

export interface SecretRef {
  /** The namespace that the reference spells out; undefined: the policy's own, as Lifeline's admission wants it. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/**
 * Every Secret that a policy needs, each once. A policy whose Secret is missing at an edge breaks that edge's Envoys for everybody.
 * @see envoyproxy/gateway issue 6123; datum-cloud/network-services-operator@41b6db2 for the four fields
 */
export function secretRefs(policy: KubeObject): readonly SecretRef[] {
  const spec = memberOf(policy as unknown as JsonObject, 'spec');
  const oidc = memberOf(spec, 'oidc');
  const keys = memberOf(memberOf(spec, 'apiKeyAuth'), 'credentialRefs');
  const named = [
    memberOf(oidc, 'clientSecret'),
    memberOf(oidc, 'clientIDRef'),
    memberOf(memberOf(spec, 'basicAuth'), 'users'),
    ...(isJsonArray(keys) ? keys : []),
  ].flatMap(refOf);
  return [...new Map(named.map((ref) => [objectKey(ref), ref])).values()];
}

/** Keys `namespace/name` of the Secrets in a policy's own namespace that it names, for indexes. */
export function secretKeys(policy: KubeObject): readonly string[] {
  const { namespace = '' } = policy.metadata;
  const own = secretRefs(policy).filter((ref) => ref.namespace === undefined || ref.namespace === namespace);
  return [...new Set(own.map(({ name }) => objectKey({ namespace, name })))];
}

function refOf(value: JsonValue | undefined): readonly SecretRef[] {
  if (!isJsonObject(value)) return [];
  const { group, kind, namespace, name } = value;
  if (typeof name !== 'string' || name === '') return [];
  if ((group ?? '') !== '' || ![undefined, null, '', 'Secret'].includes(kind as string)) return [];
  return [{ namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined, name }];
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? ownValue(value, name) : undefined;
