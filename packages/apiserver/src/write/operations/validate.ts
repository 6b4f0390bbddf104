/** What every write goes through between what the client sent and what is stored. */
import { deepEqual, type JsonValue, ownValue } from '@lifeline/core';
import { type Cause, invalid } from '../../api-error.ts';
import { invalidValue } from '../../field-error.ts';
import type { Spoken } from '../../resources/spoken.ts';
import {
  apiVersionOf,
  splitApiVersion,
  type StoredObject,
  type StrategyContext,
  withMetadata,
} from '../../resources/resource.ts';
import { metadataFlaws } from '../metadata-flaws.ts';
import type { Writer } from '../writer.ts';

export interface Written {
  /** In the version of the writer. */
  readonly next: StoredObject;
  /** What it replaces. Undefined: it is created. */
  readonly old: StoredObject | undefined;
}

export interface InContext extends Written {
  readonly context: StrategyContext;
}

/** The strategy's part, and the generation. */
export function prepared({ resource }: Spoken, { next, old, context }: InContext): StoredObject {
  const object = resource.strategy.prepare?.(next, old, context) ?? next;
  if (!resource.hasGeneration) return object;
  if (!old) return withMetadata(object, { generation: 1 });
  const { generation } = old.metadata;
  if (object.metadata.generation !== generation || !differs(object, old, resource.statusSubresource)) return object;
  return withMetadata(object, { generation: Number(generation ?? 0) + 1 });
}

/** Whether what is desired differs: all but metadata, and status where that is written apart. */
function differs(next: StoredObject, old: StoredObject, statusApart: boolean): boolean {
  const counts = (key: string): boolean => key !== 'metadata' && !(key === 'status' && statusApart);
  const keys = new Set([...Object.keys(next), ...Object.keys(old)].filter(counts));
  return [...keys].some((key) => {
    const [a, b] = [next, old].map((object) => ownValue<JsonValue | undefined>(object, key));
    return a !== b && !deepEqual(a ?? null, b ?? null);
  });
}

/** @throws ApiError 422 with a cause for each fault */
export function refuseInvalid(spoken: Spoken, { next, old, context }: InContext): void {
  const causes = flawsOf(spoken, { next, old, context });
  if (causes.length === 0) return;
  // An Event is told as core/v1 has it, whoever asks.
  const { apiVersion, kind } = spoken.resource.toStored?.(next) ?? next;
  const { group } = splitApiVersion(apiVersion);
  throw invalid({ resource: { group, kind, plural: spoken.resource.plural }, name: next.metadata.name }, causes);
}

function flawsOf({ resource, version }: Spoken, { next, old, context }: InContext): readonly Cause[] {
  const { decoding, schema, strategy } = resource;
  const metadata = metadataFlaws(resource, next.metadata, old?.metadata);
  const own = (): readonly Cause[] => strategy.validate?.(next, old, context) ?? [];
  if (decoding === 'typed') return [...metadata, ...own()];
  const type = typeFlaws(next, { kind: resource.kind, apiVersion: apiVersionOf(resource, version.name) });
  if (type.length > 0) return [...(old ? metadata : []), ...type];
  const statusOnly = context.subresource === 'status';
  return [...metadata, ...schema.validate(next, { old, statusOnly }), ...own()];
}

const typeFlaws = (
  { kind, apiVersion }: StoredObject,
  expected: { readonly kind: string; readonly apiVersion: string },
): readonly Cause[] => [
  ...(kind === expected.kind ? [] : [invalidValue('kind', kind, `must be ${expected.kind}`)]),
  ...(apiVersion === expected.apiVersion
    ? []
    : [invalidValue('apiVersion', apiVersion, `must be ${expected.apiVersion}`)]),
];

/** What the strategy has to say about a valid object. */
export function warn({ resource }: Spoken, writer: Writer, { next, old }: Written): void {
  for (const text of resource.strategy.warnings?.(next, old) ?? []) writer.warnings.add(text);
}
