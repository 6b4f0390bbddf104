/** What Envoy Gateway says about an xDS resource: the object that it comes from. */
import { metadataNamespaces } from '@lifeline/core';
import { encodeText, type Slice } from '../wire/text.ts';
import { lastField, Entries, firstOfList, mapValue, structValue } from './struct.ts';
import { metadata as metadataFields, struct, value } from './envoy-fields.ts';
import { equalBytes } from '../wire/text.ts';

/** The first entry of `filter_metadata["envoy-gateway"].resources`; there was never a second. What it does not hold is undefined. */
export interface ResourceRef {
  readonly kind: Slice | undefined;
  readonly namespace: Slice | undefined;
  readonly name: Slice | undefined;
  readonly sectionName: Slice | undefined;
  /** A `google.protobuf.Value`. Of the object's annotations those that Envoy Gateway carries, without their prefix. */
  readonly annotations: Slice | undefined;
}

const keys = {
  envoyGateway: encodeText(metadataNamespaces.envoyGateway),
  resources: encodeText('resources'),
  kind: encodeText('kind'),
  namespace: encodeText('namespace'),
  name: encodeText('name'),
  sectionName: encodeText('sectionName'),
  annotations: encodeText('annotations'),
};

/** Of an `envoy.config.core.v3.Metadata`. */
export function resourceRef(metadata: Slice): ResourceRef | undefined {
  const own = mapValue(metadata, metadataFields.filterMetadata, keys.envoyGateway);
  const resources = own && structValue(own, keys.resources);
  const first = resources && firstOfList(resources);
  const resource = first && lastField(first, value.struct);
  if (!resource) return undefined;
  const ref: { -readonly [key in keyof ResourceRef]: ResourceRef[key] } = {
    kind: undefined,
    namespace: undefined,
    name: undefined,
    sectionName: undefined,
    annotations: undefined,
  };
  const entries = new Entries(resource, struct.fields);
  while (entries.next()) {
    const { key } = entries;
    if (equalBytes(key, keys.name)) ref.name = lastField(entries.value, value.string);
    else if (equalBytes(key, keys.namespace)) ref.namespace = lastField(entries.value, value.string);
    else if (equalBytes(key, keys.kind)) ref.kind = lastField(entries.value, value.string);
    else if (equalBytes(key, keys.sectionName)) ref.sectionName = lastField(entries.value, value.string);
    else if (equalBytes(key, keys.annotations)) ref.annotations = entries.value;
  }
  return ref;
}
