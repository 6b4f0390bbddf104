/** `metav1.DeleteOptions`: from a body, or from query parameters. */
import { isJsonObject } from '@lifeline/core';
import { badRequest, type Cause } from '../api-error.ts';
import { invalidValue, notSupported } from '../field-error.ts';
import type { Call } from '../http/call.ts';
import { decodeProtobuf } from '../protobuf/decode.ts';
import { queryFlag, queryInteger } from '../http/query.ts';
import { metaTypes } from '../resources/builtin/types/meta.ts';
import { decodeTyped, MistypedError } from '../schema/decode-typed.ts';
import { bodyFormat } from './content-type.ts';
import { DecodeError } from './decode-error.ts';
import { groupVersionOf, interpret } from './decode-object.ts';
import { readJsonObject, readYamlBody } from './read-body.ts';
import { dryRunFlaws, refuseOptions } from './write-options.ts';

/** What becomes of what a deleted object owns. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  /** Older than, and instead of, the policy: `true` is `Orphan`. */
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun: boolean;
}

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Query parameters count where there is no body. @throws ApiError 400, 415, 422 */
export function readDeleteOptions(call: Call): DeleteOptions {
  const { body } = call.request;
  const options = body && body.length > 0 ? optionsInBody(call, body) : optionsInQuery(call.query);
  const { orphanDependents, propagationPolicy, dryRun = [], preconditions } = options;
  refuseOptions('DeleteOptions', [...policyFlaws(options), ...dryRunFlaws(dryRun)]);
  return {
    orphanDependents,
    propagationPolicy: propagationPolicy as PropagationPolicy | undefined,
    preconditions,
    dryRun: dryRun.length > 0,
  };
}

interface Sent {
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions;
  readonly dryRun?: readonly string[];
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'] satisfies PropagationPolicy[];

const policyFlaws = ({ propagationPolicy, orphanDependents }: Sent): readonly Cause[] =>
  propagationPolicy === undefined
    ? []
    : [
        ...(orphanDependents === undefined
          ? []
          : [
              invalidValue(
                'propagationPolicy',
                propagationPolicy,
                'orphanDependents and deletionPropagation cannot be both set',
              ),
            ]),
        ...(policies.includes(propagationPolicy)
          ? []
          : [notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil'])]),
      ];

/** Every group has DeleteOptions, of any version; of custom resources, too, they come as protobuf. */
function optionsInBody({ request }: Call, body: Uint8Array): Sent {
  const format = bodyFormat(request.headers['content-type'], 'typed');
  try {
    const value =
      format === 'protobuf'
        ? decodeProtobuf(body, 'DeleteOptions')
        : (format === 'yaml' ? readYamlBody(body) : readJsonObject(body)).value;
    const says = interpret(value);
    if (says.kind !== '' && says.kind !== 'DeleteOptions') {
      const version = groupVersionOf(says);
      throw new DecodeError(
        `no kind "${says.kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    return decodeTyped(metaTypes.get('DeleteOptions'), isJsonObject(value) ? value : {}).object;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof MistypedError) throw badRequest(error.complaint);
    throw error;
  }
}

function optionsInQuery(query: URLSearchParams): Sent {
  queryInteger(query, 'gracePeriodSeconds');
  return {
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: query.has('orphanDependents') ? queryFlag(query, 'orphanDependents') : undefined,
    dryRun: query.getAll('dryRun'),
  };
}
