/** What a type says about strategic merge patches. */
import type { Field, FieldType, MessageType } from '../schema/message-type.ts';
import { unmergeable } from './patch-error.ts';

/** How the value of a field is patched. */
export interface FieldPatch {
  readonly strategy: 'merge' | 'replace' | undefined;
  readonly mergeKey: string | undefined;
  /** Of the value, or of the items of a list. */
  readonly type: FieldType;
}

export const typeOfMessage = (message: MessageType): FieldType => ({ form: 'message', message });

/** @throws ApiError 500 where the type has no such field */
export function objectPatch(type: FieldType, key: string): FieldPatch {
  const field = fieldOf(type, key);
  return { ...strategyOf(field), type: field.type };
}

/** @throws ApiError 500 where the type has no such list */
export function listPatch(type: FieldType, key: string): FieldPatch {
  const field = fieldOf(type, key);
  if (field.type.form !== 'list') throw unmergeable(`expected slice or array type, but got: ${goKind(type)}`);
  return { ...strategyOf(field), type: field.type.items };
}

function fieldOf(type: FieldType, key: string): Field {
  const message = type.form === 'message' || type.form === 'either' ? type.message : undefined;
  if (!message && goKind(type) !== 'struct') {
    throw unmergeable(`merging an object in json but data type is not struct, instead is: ${goKind(type)}`);
  }
  const field = type.form === 'message' ? type.message.fields.get(key) : undefined;
  if (!field) {
    const name = message?.name ?? (type.form === 'scalar' ? type.goName.replace(/^.*\./, '') : '');
    throw unmergeable(`unable to find api field in struct ${name} for the json field "${key}"`);
  }
  return field;
}

function strategyOf({ patchStrategy, patchMergeKey }: Field): Pick<FieldPatch, 'strategy' | 'mergeKey'> {
  const [strategy] = (patchStrategy ?? '').split(',').filter((name) => name === 'merge' || name === 'replace');
  return { strategy: strategy, mergeKey: patchMergeKey };
}

/** `reflect.Kind`. */
function goKind(type: FieldType): string {
  switch (type.form) {
    case 'message':
    case 'either':
      return 'struct';
    case 'list':
      return 'slice';
    case 'map':
      return 'map';
    case 'scalar':
      return ['Time', 'MicroTime', 'Quantity', 'IntOrString', 'Json'].includes(type.scalar) ? 'struct' : type.scalar;
  }
}
