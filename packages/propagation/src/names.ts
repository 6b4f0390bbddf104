/** The names that Karmada gives to what it makes. The API group is in none of them: two kinds of one name collide. */
import type { KubeObject, ObjectKey, ObjectName } from '@lifeline/core';

const executionPrefix = 'karmada-es-';

/** The hub namespace that holds the Works of a member. */
export const executionNamespace = (cluster: string): string => executionPrefix + cluster;

/** The member whose Works a hub namespace holds. */
export const clusterOfNamespace = (namespace: string): string | undefined =>
  namespace.startsWith(executionPrefix) ? namespace.slice(executionPrefix.length) : undefined;

/** What is carried, as far as names go. */
export interface Named extends ObjectName {
  readonly kind: string;
}

export const namedBy = ({ kind, metadata: { namespace, name } }: KubeObject): Named => ({ kind, namespace, name });

/** Of a ResourceBinding or ClusterResourceBinding. */
export const bindingName = ({ kind, name }: Named): string => `${name.replaceAll(':', '.')}-${kind}`.toLowerCase();

/** Of a Work, in every member's namespace. */
export function workName({ kind, namespace, name }: Named): string {
  const own = name.toLowerCase().replaceAll(':', '.');
  const path = namespace ? `${namespace}-${own}-${kind}` : `${own}-${kind}`;
  return `${own}-${safeEncode(String(fnv32a(path.toLowerCase())))}`;
}

/** Of the Work that brings something to a member. */
export const workKey = (cluster: string, named: Named): ObjectKey =>
  `${executionNamespace(cluster)}/${workName(named)}`;

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** No vowels, so that no words come out. @see kubernetes/apimachinery@v0.36.2 pkg/util/rand/rand.go, SafeEncodeString */
const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

const safeEncode = (text: string): string =>
  Array.from(text, (letter) => safeLetters[letter.charCodeAt(0) % safeLetters.length]).join('');
