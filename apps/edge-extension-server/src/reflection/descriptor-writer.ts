/** Writes descriptors of services whose messages we never decode. @see google/protobuf descriptor.proto */
import { Writer } from '../wire/writer.ts';

/** A message by its fields: names, and numbers. All are bytes, which on the wire is what a message of another file is. */
export type MessageShape = Readonly<Record<string, number>>;

export interface FileShape {
  readonly name: string;
  readonly package: string;
  readonly messages: Readonly<Record<string, MessageShape>>;
  /** Methods by name: request, answer. */
  readonly services: Readonly<Record<string, Readonly<Record<string, readonly [request: string, answer: string]>>>>;
}

/** Numbers of fields in `FileDescriptorProto` and the messages in it. */
export const descriptorFields = {
  file: { name: 1, package: 2, dependency: 3, message: 4, enum: 5, service: 6, syntax: 12 },
  /** Of messages, enums, services and their parts. */
  name: 1,
  message: { field: 2, nested: 3, enum: 4 },
  field: { number: 3, label: 4, type: 5 },
  service: { method: 2 },
  method: { input: 2, output: 3 },
} as const;

const label = { repeated: 3 } as const;
const type = { bytes: 12 } as const;

/** A `FileDescriptorProto`. */
export function writeDescriptor(shape: FileShape): Uint8Array {
  const { file, name, message, field, service, method } = descriptorFields;
  const writer = new Writer(1024);
  const typeName = (of: string): string => `.${shape.package}.${of}`;
  writer.reset();
  writer.text(file.name, shape.name);
  writer.text(file.package, shape.package);
  for (const [messageName, members] of Object.entries(shape.messages)) {
    writer.begin(file.message);
    writer.text(name, messageName);
    for (const [memberName, number] of Object.entries(members)) {
      writer.begin(message.field);
      writer.text(name, memberName);
      writer.uint(field.number, number);
      writer.uint(field.label, label.repeated);
      writer.uint(field.type, type.bytes);
      writer.end();
    }
    writer.end();
  }
  for (const [serviceName, methods] of Object.entries(shape.services)) {
    writer.begin(file.service);
    writer.text(name, serviceName);
    for (const [methodName, [request, answer]] of Object.entries(methods)) {
      writer.begin(service.method);
      writer.text(name, methodName);
      writer.text(method.input, typeName(request));
      writer.text(method.output, typeName(answer));
      writer.end();
    }
    writer.end();
  }
  writer.text(file.syntax, 'proto3');
  return writer.written().slice();
}
