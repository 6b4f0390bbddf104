/** Two tenants with the same namespaces, names and labels never touch each other's copies. */
import { annotations, ConfigMap, labels, Namespace } from '@lifeline/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hub, Platform, seconds } from './world.ts';

const dnsName = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/);
const object = fc.record({
  namespace: fc.constantFrom('default', 'shop'),
  name: fc.oneof(dnsName, fc.constantFrom('web', 'a'.repeat(80), `${'a'.repeat(62)}.b`, 'anchor', 'x-0123456789')),
  marks: fc.dictionary(
    fc.constantFrom('app', labels.upstreamCluster, labels.upstreamName, labels.installation),
    fc.constantFrom('web', 'cluster-p1', 'cluster-p2'),
  ),
});
const objects = fc.uniqueArray(object, {
  minLength: 1,
  maxLength: 8,
  selector: ({ namespace, name }) => `${namespace}/${name}`,
});

it('whatever names, labels and namespaces they use: each has its own copies, and what ends of one leaves the other', async () => {
  const property = fc.asyncProperty(objects, async (all) => {
    await using platform = await Platform.start();
    for (const project of platform.projects) {
      await platform.make(project, Namespace, { metadata: { name: 'shop' } });
      for (const { namespace, name, marks } of all)
        await platform.make(project, ConfigMap, {
          metadata: { namespace, name, labels: { ...marks, [labels.gatewaySync]: '' } },
          data: { of: project },
        });
    }
    await platform.after(seconds(20));
    const copyOf = (project: string, name: string, namespace: string): ConfigMap | undefined =>
      platform.copy(ConfigMap, project, { name, namespace });
    for (const project of platform.projects)
      for (const { namespace, name } of all) {
        const copy = copyOf(project, name, namespace);
        expect(copy?.data).toEqual({ of: project });
        const upstream = platform.api(project).get(ConfigMap, { namespace, name });
        expect(copy?.metadata.annotations?.[annotations.upstreamUid]).toBe(upstream?.metadata.uid);
      }
    const others = all.map(({ namespace, name }) => copyOf('p2', name, namespace)?.metadata.resourceVersion);
    for (const { namespace, name } of all) await platform.delete('p1', ConfigMap, { namespace, name });
    await platform.after(seconds(20));
    for (const { namespace, name } of all) expect(copyOf('p1', name, namespace)).toBeUndefined();
    expect(all.map(({ namespace, name }) => copyOf('p2', name, namespace)?.metadata.resourceVersion)).toEqual(others);
    expect(
      platform
        .api(hub)
        .objects(ConfigMap)
        .filter(({ data }) => data?.['of'] === 'p1'),
    ).toEqual([]);
  });
  await fc.assert(property, { numRuns: 5, seed: 5 });
}, 120_000);
