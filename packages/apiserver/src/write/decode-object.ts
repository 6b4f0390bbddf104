/** From a body's value to an object of a resource: what it says it is, decoded by type or by schema, with defaults. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { goJsonName } from '../go-type.ts';
import type { Spoken } from '../resources/spoken.ts';
import { metaTypes } from '../resources/builtin/types/meta.ts';
import {
  apiVersionOf,
  messageTypeOf,
  type Resource,
  type StoredObject,
  splitApiVersion,
  storedUnder,
  withMetadata,
} from '../resources/resource.ts';
import { type Decoded, decodeTyped, MistypedError } from '../schema/decode-typed.ts';
import type { ResourceRegistry } from '../server-parts.ts';
import { asGoStores } from './body-value.ts';
import { DecodeError } from './decode-error.ts';
import { type BodyValue, duplicateFlaws, unknownFlaw } from './read-body.ts';

export interface DecodeRequest {
  readonly resources: ResourceRegistry;
  readonly spoken: Spoken;
  readonly body: BodyValue;
  /** Whether flaws are asked for. */
  readonly strict: boolean;
  /** The body as a text, for a message. */
  readonly text: () => string;
  /** The object came out of an apply: what the schema does not know, and nulls, stay until it is stored. Default false. */
  readonly isMerged?: boolean | undefined;
}

export interface DecodedObject {
  /** With defaults, and without what the resource does not know; in the version that is spoken, unless a custom resource says another. */
  readonly object: StoredObject;
  /** What it says it is, with what may be left out filled in. */
  readonly says: TypeMeta;
  /** Fields that stand twice, in Go's words. */
  readonly flaws: readonly string[];
}

export interface TypeMeta {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** @throws DecodeError */
export function decodeObject(request: DecodeRequest): DecodedObject {
  const said = interpret(request.body.value);
  const { resource } = request.spoken;
  return resource.decoding === 'typed' ? decodeByType(request, said) : decodeBySchema(request, said);
}

export const groupVersionOf = ({ group, version }: TypeMeta): string => apiVersionOf({ group }, version);

const envelopeType = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** What kind of thing a value says it is. @throws DecodeError */
export function interpret(value: JsonValue): TypeMeta {
  if (value !== null && !isJsonObject(value)) throw notParsed(value, `value of type ${envelopeType}`);
  const text = (key: string): string => {
    const found = value?.[key] ?? '';
    if (typeof found !== 'string') throw notParsed(found, `struct field .${key} of type string`);
    return found;
  };
  const [apiVersion, kind] = [text('apiVersion'), text('kind')];
  const { group, version } = splitApiVersion(apiVersion);
  if (version.includes('/')) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  return { group, version, kind };
}

const notParsed = (value: JsonValue, target: string): DecodeError =>
  new DecodeError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${goJsonName(value)} into Go ${target}`,
  );

function decodeByType({ resources, spoken, body, strict }: DecodeRequest, said: TypeMeta): DecodedObject {
  const { resource, version } = spoken;
  const says: TypeMeta = {
    kind: said.kind || resource.kind,
    group: said.version || said.group ? said.group : resource.group,
    version: said.version || (!said.group || said.group === resource.group ? version.name : ''),
  };
  if (says.kind !== resource.kind || says.group !== resource.group || says.version !== version.name) {
    refuseType(resources, resource, says);
  }
  const value = isJsonObject(body.value) ? body.value : {};
  const decoded = byType(messageTypeOf(resource), value, says);
  const typed = { ...decoded.object, apiVersion: apiVersionOf(resource, version.name), kind: resource.kind };
  const filled = resource.schema.applyDefaults(typed) as StoredObject;
  const whole = resource.strategy.applyDefaults?.(filled) ?? filled;
  const object = whole.metadata ? whole : ({ ...(whole as JsonObject), metadata: {} } as unknown as StoredObject);
  return {
    object: forgetsManagers(value) ? withMetadata(object, { managedFields: [] }) : object,
    says,
    flaws: strict ? flawsByType(body, decoded.unknownFields) : [],
  };
}

/** Go tells an empty list from none, and one of managers is a wish to forget them. */
function forgetsManagers({ metadata }: JsonObject): boolean {
  const list = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return isJsonArray(list) && list.length === 0;
}

function byType(type: Parameters<typeof decodeTyped>[0], value: JsonObject, as: TypeMeta): Decoded {
  try {
    return decodeTyped(type, value);
  } catch (error) {
    throw error instanceof MistypedError ? new DecodeError(error.complaint, as) : error;
  }
}

/** A built-in kind where another was expected. */
function refuseType(resources: ResourceRegistry, expected: Resource, says: TypeMeta): void {
  const other = resources.byKind(says.group, says.kind);
  const isServed = other?.decoding === 'typed' && other.versions.some(({ name }) => name === says.version);
  if (!isServed && !isOtherType(resources, says)) {
    const what = `no kind "${says.kind}" is registered for version "${groupVersionOf(says)}"`;
    throw new DecodeError(`${what} in scheme "pkg/runtime/scheme.go:111"`, says);
  }
  // Events of either group are events: they differ in their version only.
  if (isServed && storedUnder(other) === storedUnder(expected)) return;
  const internal = expected.group === '' ? 'core' : expected.group.split('.')[0];
  const conversion = `converting (${says.version}.${says.kind}) to (${internal}.${expected.kind})`;
  throw new DecodeError(`${conversion}: unknown conversion`, says);
}

/** Types that are no resources: lists, and what every server answers with. */
function isOtherType(resources: ResourceRegistry, { group, version, kind }: TypeMeta): boolean {
  if (group === '' && version === 'v1' && (kind === 'List' || kind === 'Status')) return true;
  for (const { decoding, listKind, ...resource } of resources.all) {
    if (decoding !== 'typed' || resource.group !== group || listKind !== kind) continue;
    return resource.versions.some(({ name }) => name === version);
  }
  return false;
}

/** In the order of the text, as far as Go looks: below a field that it does not know it does not. */
function flawsByType({ members, yamlFlaw }: BodyValue, unknown: readonly string[]): readonly string[] {
  if (!members) return [...(yamlFlaw === undefined ? [] : [yamlFlaw]), ...unknown.map(unknownFlaw)];
  const left = new Set(unknown);
  const within = (path: string): boolean =>
    unknown.some((other) => path.startsWith(other) && /^[.[]/.test(path.slice(other.length)));
  return members.flatMap(({ path, repeated }) => {
    if (left.delete(path)) return [unknownFlaw(path)];
    return repeated && !within(path) ? [`duplicate field "${path}"`] : [];
  });
}

const objectMetaType = metaTypes.get('ObjectMeta');

function decodeBySchema({ spoken, body, strict, text, isMerged }: DecodeRequest, says: TypeMeta): DecodedObject {
  const { resource } = spoken;
  if (says.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${text()}'`);
  const value = (body.hasExactNumbers ? as(says, () => asGoStores(body.value)) : body.value) as JsonObject;
  const sent = value['metadata'] ?? {};
  const metadata = byType(objectMetaType, sent as JsonObject, says);
  const whole = metadata.object === value['metadata'] ? value : { ...value, metadata: metadata.object };
  const flaws = strict ? flawsBefore(body, metadata.unknownFields) : [];
  if (says.kind !== resource.kind || says.group !== resource.group)
    return { object: whole as StoredObject, says, flaws };

  const pruned = isMerged ? whole : resource.schema.prune(whole);
  const unknown = strict && pruned !== whole ? resource.schema.unknownFields(whole).map(unknownFlaw) : [];
  const object = resource.schema.applyDefaults(pruned) as StoredObject;
  return {
    object,
    says,
    flaws: unknown.length > 0 ? [...flaws, ...unknown] : flaws,
  };
}

function as<T>(says: TypeMeta, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof DecodeError ? new DecodeError(error.complaint, says) : error;
  }
}

/** What is known before the schema is asked. Metadata is looked at in the order of its keys. */
const flawsBefore = (body: BodyValue, unknownMetadata: readonly string[]): readonly string[] => [
  ...(body.yamlFlaw === undefined ? [] : [body.yamlFlaw]),
  ...duplicateFlaws(body),
  ...[...unknownMetadata].sort().map((path) => unknownFlaw(`metadata.${path}`)),
];
