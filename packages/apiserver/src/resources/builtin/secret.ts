import { isJsonObject, JsonError, ownValue, parseJson, setOwn } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { invalidValue, required, tooLong } from '../../field-error.ts';
import { type Resource, type StoredObject, withFields } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { base64Bytes, dataLimitBytes, keyFlaws } from './config-key.ts';
import { sealedFlaws, unchanged } from './immutable.ts';
import { coreTypes } from './types/core.ts';

interface Secret {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
  readonly type?: string;
}

export const secrets: Resource = builtinResource({
  kind: 'Secret',
  plural: 'secrets',
  types: coreTypes,
  namespaced: true,
  columns: [column('Type', 'What kind of data it is.'), column('Data', 'How many keys it holds.'), ageColumn],
  cells: (object, now) => {
    const { type = '', data = {} } = object as StoredObject & Secret;
    return [type, Object.keys(data).length, ageCell(object, now)];
  },
  selectableFields: ['.type'],
  strategy: {
    applyDefaults: withStringData,
    validate: (next, old) => [...(old ? changeFlaws(next, old) : []), ...flaws(next)],
  },
});

/** `stringData` is written only: it goes over `data`. */
function withStringData(secret: StoredObject): StoredObject {
  const { stringData, ...rest } = secret as StoredObject & Secret;
  if (stringData === undefined) return secret;
  const data: Record<string, string> = { ...rest.data };
  for (const [key, text] of Object.entries(stringData)) setOwn(data, key, Buffer.from(text).toString('base64'));
  return withFields(rest, { data });
}

function changeFlaws(next: StoredObject, old: StoredObject): readonly Cause[] {
  return [...unchanged('type', next['type'], old['type']), ...sealedFlaws(next as Secret, old as Secret, ['data'])];
}

function flaws(secret: StoredObject): readonly Cause[] {
  const { data = {}, type = '' } = secret as StoredObject & Secret;
  const size = Object.values(data).reduce((sum, text) => sum + base64Bytes(text), 0);
  return [
    ...keyFlaws('data', Object.keys(data)),
    ...(size > dataLimitBytes ? [tooLong('data', dataLimitBytes)] : []),
    ...(ownValue(flawsOfType, type)?.(data, secret) ?? []),
  ];
}

type Data = Readonly<Record<string, string>>;

const missing = (data: Data, keys: readonly string[]): readonly Cause[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));

const serviceAccountName = 'kubernetes.io/service-account.name';

/** What the types that Kubernetes gives a meaning must hold. */
const flawsOfType: Readonly<Record<string, (data: Data, secret: StoredObject) => readonly Cause[]>> = {
  'kubernetes.io/tls': (data) => missing(data, ['tls.crt', 'tls.key']),
  'kubernetes.io/basic-auth': (data) => {
    const absent = missing(data, ['username', 'password']);
    return absent.length === 2 ? absent : [];
  },
  'kubernetes.io/ssh-auth': (data) => (data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')]),
  'kubernetes.io/dockercfg': (data) => jsonFlaws(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => jsonFlaws(data, '.dockerconfigjson'),
  'kubernetes.io/service-account-token': (_, { metadata }) =>
    metadata.annotations?.[serviceAccountName] ? [] : [required(`metadata.annotations[${serviceAccountName}]`)],
};

function jsonFlaws(data: Data, key: string): readonly Cause[] {
  const absent = missing(data, [key]);
  if (absent.length > 0 || isJson(Buffer.from(data[key] ?? '', 'base64').toString())) return absent;
  return [invalidValue(`data[${key}]`, '<secret contents redacted>', 'not a JSON object')];
}

function isJson(text: string): boolean {
  try {
    return isJsonObject(parseJson(text));
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}
