/** Templates of all kinds in one queue. */
import { keyOf, type KubeObject, objectKey, type ObjectKey, type ResourceBinding } from '@lifeline/core';
import { type KindName, kindName } from '../manifest.ts';

/** `networking.datumapis.com/v1alpha1 Connector t1/first`. None of its parts holds a space. */
export type TemplateKey = string;

export const templateKey = (object: KubeObject): TemplateKey => `${kindName(object)} ${keyOf(object)}`;

/** The key of what a binding carries. */
export const keyOfResource = ({ spec: { resource } }: ResourceBinding): TemplateKey =>
  `${kindName(resource)} ${objectKey({ namespace: resource.namespace ?? undefined, name: resource.name })}`;

export function parseTemplateKey(text: TemplateKey): { readonly kindName: KindName; readonly objectKey: ObjectKey } {
  const end = text.lastIndexOf(' ');
  return { kindName: text.slice(0, end), objectKey: text.slice(end + 1) };
}
