/** gRPC's reflection, in both of its versions, which differ in their names only. @see grpc/grpc@v1.76.0 src/proto/grpc/reflection/v1/reflection.proto */
import { type ServerDuplexStream, type ServiceDefinition, status } from '@grpc/grpc-js';
import { describeError } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import { Writer } from '../wire/writer.ts';
import type { DescriptorIndex } from './descriptor-index.ts';

/** Fields of `ServerReflectionRequest`; what we are not asked by anyone is answered as not found. */
const asked = { host: 1, fileByFilename: 3, fileContainingSymbol: 4, listServices: 7 } as const;
/** Fields of `ServerReflectionResponse`. */
const told = { validHost: 1, originalRequest: 2, files: 4, services: 6, error: 7 } as const;
/** Of the messages in it. */
const parts = { file: 1, service: 1, serviceName: 1, errorCode: 1, errorMessage: 2 } as const;

type Stream = ServerDuplexStream<Buffer, Buffer>;

export interface ReflectionService {
  readonly definition: ServiceDefinition;
  readonly implementation: Readonly<Record<string, (stream: Stream) => void>>;
}

export function reflectionServices(index: DescriptorIndex): readonly ReflectionService[] {
  const answer = (stream: Stream): void => {
    stream.on('data', (request: Buffer) => {
      try {
        stream.write(answerTo(request, index));
      } catch (error) {
        stream.emit('error', { code: status.INVALID_ARGUMENT, details: describeError(error) });
      }
    });
    stream.on('end', () => stream.end());
  };
  return ['v1', 'v1alpha'].map((version) => ({
    definition: { reflect: methodOf(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`) },
    implementation: { reflect: answer },
  }));
}

const bytes = (buffer: Buffer): Buffer => buffer;

const methodOf = (path: string): ServiceDefinition[string] => ({
  path,
  requestStream: true,
  responseStream: true,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});

/** @returns a `ServerReflectionResponse` */
export function answerTo(request: Uint8Array, index: DescriptorIndex): Buffer {
  const writer = new Writer(1024);
  writer.reset();
  let host = '';
  let answer = (): void => writeError(writer, 'nothing is known of this');
  const cursor = new Cursor(request);
  while (cursor.next()) {
    if (cursor.isBytes(asked.host)) host = cursor.text();
    else if (cursor.isBytes(asked.listServices)) answer = () => writeServices(writer, index.services);
    else if (cursor.isBytes(asked.fileByFilename) || cursor.isBytes(asked.fileContainingSymbol)) {
      const name = cursor.text();
      const files = cursor.field === asked.fileByFilename ? index.file(name) : index.symbol(name);
      answer = () => (files ? writeFiles(writer, files) : writeError(writer, `nothing is named ${name}`));
    }
  }
  if (host !== '') writer.text(told.validHost, host);
  writer.bytes(told.originalRequest, request);
  answer();
  return Buffer.from(writer.written());
}

function writeServices(writer: Writer, services: readonly string[]): void {
  writer.begin(told.services);
  for (const service of services) {
    writer.begin(parts.service);
    writer.text(parts.serviceName, service);
    writer.end();
  }
  writer.end();
}

function writeFiles(writer: Writer, files: readonly Uint8Array[]): void {
  writer.begin(told.files);
  for (const file of files) writer.bytes(parts.file, file);
  writer.end();
}

function writeError(writer: Writer, message: string): void {
  writer.begin(told.error);
  writer.uint(parts.errorCode, status.NOT_FOUND);
  writer.text(parts.errorMessage, message);
  writer.end();
}
