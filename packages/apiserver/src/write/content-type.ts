/** What a body is, by its `Content-Type`. */
import { ApiError } from '../api-error.ts';
import type { Resource } from '../resources/resource.ts';

export type BodyFormat = 'json' | 'yaml' | 'protobuf';

const formats: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

/** JSON where nothing is said. @throws ApiError 415 */
export function bodyFormat(contentType: string | undefined, decoding: Resource['decoding']): BodyFormat {
  const type = mediaType(contentType ?? 'application/json').toLowerCase();
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  if (format === undefined || (format === 'protobuf' && decoding !== 'typed')) {
    throw unsupported(Object.keys(formats));
  }
  return format;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Case counts. @param strategic whether strategic merge patches are taken @throws ApiError 415 */
export function patchType(contentType: string | undefined, strategic: boolean): PatchType {
  const type = mediaType(contentType ?? '');
  const found = Object.hasOwn(patchTypes, type) ? patchTypes[type] : undefined;
  if (found === undefined || (found === 'strategic' && !strategic)) {
    throw unsupported(Object.keys(patchTypes).filter((name) => strategic || patchTypes[name] !== 'strategic'));
  }
  return found;
}

const mediaType = (contentType: string): string => (contentType.split(';')[0] as string).trim();

const unsupported = (accepted: readonly string[]): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
