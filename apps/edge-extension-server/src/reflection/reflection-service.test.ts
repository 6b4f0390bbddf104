import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { programmedPackage } from '@lifeline/edge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cursor } from '../wire/cursor.ts';
import { DescriptorIndex } from './descriptor-index.ts';
import { packageDescriptors } from './descriptors-of-package.ts';
import { hookDescriptor } from './hook-descriptor.ts';
import { answerTo, reflectionServices } from './reflection-service.ts';

const bytes = (buffer: Buffer): Buffer => buffer;

/** A request of one text field, which must be short. */
const ask = (field: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([field * 8 + 2, text.length]), Buffer.from(text)]);
const [byFile, bySymbol, byExtension, list] = [3, 4, 6, 7];

interface Told {
  readonly services: readonly string[];
  readonly files: readonly Buffer[];
  readonly error: number | undefined;
}

function read(response: Uint8Array): Told {
  const services: string[] = [];
  const files: Buffer[] = [];
  let error: number | undefined;
  const each = (cursor: Cursor, visit: (part: Cursor) => void): void => {
    while (cursor.next()) visit(cursor);
  };
  each(new Cursor(response), (part) => {
    if (part.isBytes(4)) each(part.enter(), (file) => files.push(Buffer.from(response.subarray(file.from, file.to))));
    if (part.isBytes(6)) each(part.enter(), (service) => each(service.enter(), (name) => services.push(name.text())));
    if (part.isBytes(7)) each(part.enter(), (code) => code.isVarint(1) && (error = code.uint32()));
  });
  return { services, files, error };
}

/** Held against the implementation of gRPC's own authors. */
describe('reflection', () => {
  const ours = new Server();
  const theirs = new Server();
  const clients: Client[] = [];
  beforeAll(async () => {
    for (const { definition, implementation } of reflectionServices(
      new DescriptorIndex(packageDescriptors(programmedPackage)),
    ))
      ours.addService(definition, implementation);
    new ReflectionService(programmedPackage).addToServer(theirs);
    for (const server of [ours, theirs]) {
      const port = await new Promise<number>((resolve) =>
        server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, bound) => resolve(bound)),
      );
      clients.push(new Client(`127.0.0.1:${port}`, credentials.createInsecure()));
    }
  });
  afterAll(() => {
    for (const client of clients) client.close();
    for (const server of [ours, theirs]) server.forceShutdown();
  });

  const asked = (client: Client, version: string, request: Buffer): Promise<Told> =>
    new Promise((resolve, reject) => {
      const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
      const stream = client.makeBidiStreamRequest(path, bytes, bytes);
      stream.on('data', (response: Buffer) => resolve(read(response))).on('error', reject);
      stream.end(request);
    });

  const service = 'lifeline.edge.v1.Programmed';
  it.each([
    { what: 'the services', request: ask(list, '') },
    { what: 'the file of a service', request: ask(bySymbol, service) },
    { what: 'the file of a method', request: ask(bySymbol, `${service}.Watch`) },
    { what: 'the file of a message', request: ask(bySymbol, 'lifeline.edge.v1.Report') },
    { what: 'what is not there', request: ask(bySymbol, 'lifeline.edge.v1.Nothing') },
    { what: 'a file that is not there', request: ask(byFile, 'nothing.proto') },
    { what: 'extensions, of which there are none', request: ask(byExtension, 'lifeline.edge.v1.Report') },
  ])('$what, in both versions', async ({ request }) => {
    const [our, their] = clients as [Client, Client];
    for (const version of ['v1', 'v1alpha'])
      expect(await asked(our, version, request)).toEqual(await asked(their, version, request));
  });

  it('of what cannot be read is an error of that stream alone', async () => {
    const [our] = clients as [Client];
    await expect(asked(our, 'v1', Buffer.from([0x0a, 9]))).rejects.toMatchObject({ code: 3 });
    expect((await asked(our, 'v1', ask(list, ''))).services).toHaveLength(1);
  });

  it('of the hook names every method with its messages, and their fields', () => {
    const index = new DescriptorIndex([hookDescriptor()]);
    const name = 'envoygateway.extension.EnvoyGatewayExtension';
    expect(read(answerTo(ask(list, ''), index)).services).toEqual([name]);
    for (const symbol of [
      name,
      `${name}.PostTranslateModify`,
      `${name}.PostEndpointsModify`,
      'envoygateway.extension.PostClusterModifyResponse',
    ])
      expect(read(answerTo(ask(bySymbol, symbol), index)).files).toEqual([Buffer.from(hookDescriptor())]);
    const text = Buffer.from(hookDescriptor()).toString('latin1');
    for (const field of ['post_translate_context', 'load_assignment', 'virtual_host']) expect(text).toContain(field);
  });

  it('answers a request that asks for nothing with an error, and gives back what was asked', () => {
    const request = Buffer.from([0x0a, 1, 0x78]);
    const response = answerTo(request, new DescriptorIndex([]));
    expect(read(response).error).toBe(5);
    expect(response.includes(request)).toBe(true);
  });
});
