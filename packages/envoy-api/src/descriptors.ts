import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { EnvoyApiError } from './error.ts';

/** Beside `src` and `dist` alike. How it is made again: tools/envoy-descriptors. */
const file = new URL('../data/envoy.binpb.gz', import.meta.url);

let loaded: FileRegistry | undefined;

/** Every message, enum and extension of the descriptors. Read once, at the first call. */
export function envoyRegistry(): FileRegistry {
  loaded ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, gunzipSync(readFileSync(file))));
  return loaded;
}

/** @throws EnvoyApiError `unknown-type` */
export function messageType(name: string): DescMessage {
  const found = envoyRegistry().getMessage(name);
  if (!found) throw new EnvoyApiError('unknown-type', name);
  return found;
}
