/** An unknown kind that was replicated once, and whose entry is gone from the setting. */
import { ConfigMap, HTTPProxy, labels, Namespace } from '@lifeline/core';
import { expect, it } from 'vitest';
import { goLabels, minutes, MirrorWorld } from './mirror-world.ts';

const web = { namespace: 'default', name: 'web' };

it('an entry that was taken out too early is said at start, once, and nothing is deleted', async () => {
  await using world = new MirrorWorld();
  const namespace = await world.namespace();
  const ofKind = (name: string, marks: Readonly<Record<string, string>>): unknown => ({
    metadata: {
      namespace,
      name: `anchor-${name}`,
      labels: { ...goLabels('p1', HTTPProxy, web), [labels.installation]: 'here', ...marks },
    },
  });
  await world.make(world.hub, Namespace, {
    metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } },
  });
  const widget = { [labels.upstreamKind]: 'Widget', [labels.upstreamGroup]: 'example.com' };
  for (const name of ['a', 'b']) await world.make(world.hub, ConfigMap, ofKind(name, widget));
  const theirs = { ...widget, [labels.upstreamKind]: 'Gadget', [labels.installation]: 'theirs' };
  await world.make(world.hub, ConfigMap, ofKind('c', theirs));
  world.start();
  await world.after(minutes(15));
  expect(world.logLines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 'warn', kind: 'Widget.example.com', entry: { group: 'example.com', kind: 'Widget', enabled: false } },
  ]);
  expect(world.hub.objects(ConfigMap)).toHaveLength(3);
  await world.restart({ kinds: [{ group: 'example.com', kind: 'Widget', enabled: false }] });
  const since = world.logLines.length;
  await world.after(minutes(1));
  expect(world.logLines.slice(since).filter((line) => line.includes('does not name'))).toEqual([]);
});
