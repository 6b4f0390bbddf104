/**
 * A character of several bytes that is cut by the border of a chunk breaks the watch, or comes out as a replacement character.
 * Source: kubernetes-client/python#2087, #1325; the compressed case is derived.
 * Cause:  each chunk was decoded by itself; a compressed body that ended early was taken for all there is.
 * Guard:  bytes are joined before they are text, and only a line feed ends a line; a body that is cut short is an error.
 */
import { once } from 'node:events';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { ConfigMap, Lease } from '@lifeline/core';
import { kubeconfig, listenPlain } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { LoopbackWorld, write } from './loopback-world.ts';
import { isList, isWatch, reshaped } from './wires.ts';
import { configMap, minutes, seconds, World } from './world.ts';

const message = '漢字🙂é\u2028ü\u0085';

it('C40: an event cut at any byte is the same event', async () => {
  await using world = new World();
  world.edit('p1', 'a', { message });
  world.start();
  await world.after(seconds(20));
  let at = 0;
  let longest = 0;
  const cut = reshaped((chunk) => {
    longest = Math.max(longest, chunk.length);
    return [chunk.subarray(0, at), chunk.subarray(at)];
  }, isWatch);
  using _cut = world.on('p1', cut);
  world.source().endWatches();
  await world.after(seconds(5));
  for (; at === 0 || at < longest; at++) {
    world.edit('p1', 'a', { message, at: String(at) });
    await world.after(200);
    expect(world.copies()).toEqual({ 'p1 default/a': { message, at: String(at) } });
  }
  expect(at).toBeGreaterThan(200);
  expect(world.requests('p1', ({ path }) => path.includes('sendInitialEvents'))).toHaveLength(1);
});

it.each([
  { name: 'streamed', streamingLists: true },
  { name: 'paged', streamingLists: false },
])('C40: a $name list and a watch that come byte by byte are whole', async ({ streamingLists }) => {
  await using world = new World();
  world.source().streamingLists = streamingLists;
  using _bytes = world.on(
    'p1',
    reshaped(
      (chunk) => Array.from(chunk, (byte) => Uint8Array.of(byte)),
      (request) => isWatch(request) || isList(request),
    ),
  );
  for (const name of ['a', 'b', 'c']) world.edit('p1', name, { message });
  world.start();
  await world.after(seconds(20));
  world.edit('p1', 'a', { message: message + message });
  await world.after(seconds(1));
  expect(world.copies()).toEqual({
    'p1 default/a': { message: message + message },
    'p1 default/b': { message },
    'p1 default/c': { message },
  });
});

it('C40: compressed lists and watches are whole, and a compressed list that is cut short deletes nothing', async () => {
  const sizes: number[] = [];
  const cuts: ((length: number) => number)[] = [];
  await using world = new LoopbackWorld();
  const send: NonNullable<Parameters<LoopbackWorld['handler']>[0]>['send'] = async ({ url }, body, response) => {
    const isStream = url.includes('watch=true');
    response.setHeader('content-encoding', 'gzip');
    if (isStream) {
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.on('data', (piece: Buffer) => {
        for (let at = 0; at < piece.length; at += 13) response.write(piece.subarray(at, at + 13));
      });
      for await (const event of body) gzip.write(event);
      gzip.end();
      await once(gzip, 'end');
      return;
    }
    const plain = Buffer.concat(await Array.fromAsync(body));
    const zipped = gzipSync(plain, { level: 1 });
    const isLong = plain.length > 128 * 1024;
    if (isLong) sizes.push(plain.length);
    const end = (isLong ? cuts.shift() : undefined)?.(zipped.length) ?? zipped.length;
    for (let at = 0; at < end; at += 1_021) await write(response, zipped.subarray(at, Math.min(end, at + 1_021)));
  };
  await using server = await listenPlain(world.handler({ send }));
  await using running = world;
  running.files['/sources/p1.kubeconfig'] = kubeconfig(server.url);
  running.plane.streamingLists = false;
  const names = Array.from({ length: 30 }, (_, index) => `conn-${10 + index}`);
  const text = message.repeat(600);
  for (const name of names) running.edit(name, { text });
  running.start();
  const all = Object.fromEntries(names.map((name) => [name, { text }]));
  await running.copied(all);
  expect(sizes).toEqual([expect.toSatisfy((size: number) => size > 300_000)]);

  running.edit('conn-10', { text: message });
  await running.copied({ ...all, 'conn-10': { text: message } });

  cuts.push(
    (length) => length >> 1,
    (length) => length - 1,
    (length) => length - 8,
    () => 10,
  );
  running.plane.remove(ConfigMap, { namespace: 'default', name: 'conn-39' });
  running.plane.put(ConfigMap, configMap('conn-40', { text }));
  running.plane.put(Lease, { metadata: { namespace: 'default', name: 'elsewhere' } });
  running.plane.compact();
  running.plane.endWatches();
  await running.after(minutes(2));
  expect(sizes).toHaveLength(6);
  const { 'conn-39': _gone, ...kept } = all;
  await running.copied({ ...kept, 'conn-10': { text: message }, 'conn-40': { text } });
  expect(running.target.writes.filter(({ verb }) => verb === 'delete')).toHaveLength(1);
});
