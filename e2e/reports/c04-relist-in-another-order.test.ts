/**
 * Handlers hear "update" at every relist though nothing changed, and each update becomes a write.
 * Source: kubernetes-client/javascript#2424.
 * Cause:  objects were compared by their text, and an answer may bring the same keys in another order (JavaScript itself moves keys
 *         that look like integers).
 * Guard:  an object of the held uid and resourceVersion is the held one; what is written is compared by value, whatever the order.
 */
import { mirror } from '@lifeline/example-mirror';
import {
  ConfigMap,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  type TransportInterceptor,
} from '@lifeline/core';
import { expect, it } from 'vitest';
import { appWith, listener } from './test-app.ts';
import { isList, isWatch, reshaped } from './wires.ts';
import { configMap, minutes, seconds, World } from './world.ts';

const utf8 = new TextEncoder();

/** JSON with the keys of every object backwards, those that look like integers included. */
function backwards(value: JsonValue | undefined = null): string {
  if (isJsonArray(value)) return `[${value.map(backwards).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${backwards(member)}`);
  return `{${members.toReversed().join(',')}}`;
}

const turned: TransportInterceptor = reshaped(
  (chunk) => {
    const text = new TextDecoder().decode(chunk);
    return [utf8.encode(backwards(parseJson(text)) + (text.endsWith('\n') ? '\n' : ''))];
  },
  (request) => isWatch(request) || isList(request) || request.method === 'GET',
);

it.each([
  { name: 'a paged list', streamingLists: false },
  { name: 'a streamed list', streamingLists: true },
])('C04: $name with the keys in another order is no update', async ({ streamingLists }) => {
  let heard = 0;
  const app = appWith((planes) => [mirror({ ...planes, namespace: 'mirrors' }), listener(planes, () => heard++)]);
  await using world = new World({ app });
  for (const plane of [world.source(), world.target]) plane.streamingLists = streamingLists;
  world
    .source()
    .put(ConfigMap, configMap('conn-a', { '443': 'tls', '80': 'plain', '8080': 'alt', zone: 'b', area: 'a' }));
  world.start();
  await world.after(seconds(30));
  expect(world.differences()).toEqual([]);
  const writes = world.writes().length;
  const known = heard;

  using _p1 = world.on('p1', turned);
  const target = world.on('target', turned);
  for (let round = 0; round < 3; round++) {
    const lists = world.calls.filter(isFirstPage).length;
    for (const plane of [world.source(), world.target]) {
      world.forget(plane);
      plane.endWatches();
    }
    await world.after(minutes(3));
    expect(world.calls.filter(isFirstPage).length).toBeGreaterThanOrEqual(lists + 2);
  }
  expect(heard).toBe(known);
  expect(world.writes()).toHaveLength(writes);

  // To another process, the sources come turned and the copies as they were.
  target[Symbol.dispose]();
  world.sim.kill('a');
  world.start('b');
  await world.after(minutes(2));
  expect(heard).toBe(known + 1);
  expect(world.writes()).toHaveLength(writes);
});

const isFirstPage = ({ path }: { path: string }): boolean =>
  path.includes('/configmaps') && (path.includes('sendInitialEvents') || !path.includes('watch=true'));
