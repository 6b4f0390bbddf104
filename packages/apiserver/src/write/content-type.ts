/** What a body is, by its `Content-Type`. */
import { ApiError } from '../api-error.ts';
import type { Resource } from '../resources/resource.ts';

export type BodyFormat = 'json' | 'yaml' | 'protobuf';

const formats: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

/** JSON where nothing is said. What is no media type by RFC 2045 is none of ours. @throws ApiError 415 */
export function bodyFormat(contentType: string | undefined, decoding: Resource['decoding']): BodyFormat {
  const header = contentType || 'application/json';
  const type = mediaType(header).toLowerCase();
  const format = Object.hasOwn(formats, type) && hasValidParameters(header) ? formats[type] : undefined;
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
  // Routes of built-in kinds say what they take before anybody looks at the body.
  if (found === undefined && strategic) throw notTaken();
  if (found === undefined || (found === 'strategic' && !strategic)) {
    throw unsupported(Object.keys(patchTypes).filter((name) => patchTypes[name] !== 'strategic'));
  }
  return found;
}

const mediaType = (contentType: string): string => (contentType.split(';')[0] as string).trim();

const token = String.raw`[!#$%&'*+.^_\`|~0-9A-Za-z-]+`;
const parameter = String.raw`;\s*(${token})\s*=\s*(?:${token}|"(?:[^"\\]|\\.)*")\s*`;
const parameters = new RegExp(`^(?:${parameter})*;?\\s*$`);

/** Every parameter has a name and a value, and none is there twice. @see golang/go@go1.26.0 src/mime/mediatype.go */
function hasValidParameters(contentType: string): boolean {
  const start = contentType.indexOf(';');
  if (start < 0) return true;
  const text = contentType.slice(start);
  if (!parameters.test(text)) return false;
  const names = [...text.matchAll(new RegExp(parameter, 'g'))].map(([, name = '']) => name.toLowerCase());
  return new Set(names).size === names.length;
}

const notTaken = (): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });

const unsupported = (accepted: readonly string[]): ApiError =>
  new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
