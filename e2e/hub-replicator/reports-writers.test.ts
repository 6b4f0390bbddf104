/** Public reports about other writers: an update that overtakes the create, a copy that somebody edits fifty times a second. */
import { ConfigMap, HTTPProxy, stringifyJson, type TransportInterceptor } from '@lifeline/core';
import { expect, it } from 'vitest';
import { proxy, proxySpec, synced } from './objects.ts';
import { hub, Platform, seconds } from './world.ts';

const web = { namespace: 'default', name: 'web' };

it('C24: of a rule that went 5 ms after it came nothing is left, though its write lands after the next one began', async () => {
  await using platform = await Platform.start({ projects: ['p1'], edges: ['e1'] });
  // Whatever is applied to the hub takes two seconds to arrive, at first.
  let slow = 2;
  let running = 0;
  let most = 0;
  const late: TransportInterceptor = (next) => async (request, options) => {
    most = Math.max(most, ++running);
    try {
      if (slow-- > 0) await platform.clock.sleep(seconds(2), options.signal);
      return await next(request, options);
    } finally {
      running--;
    }
  };
  using _late = platform.world.wires.put(
    ({ request }) => (request.method === 'PATCH' && request.url.includes('/httpproxies/web') ? late : undefined),
    { actor: 'r1', plane: hub },
  );
  const rule = (endpoint: string): unknown => ({ backends: [{ endpoint }] });
  const rules = [rule('https://r0.example'), rule('https://r1.example')];
  await platform.make('p1', HTTPProxy, { metadata: web, spec: { hostnames: ['a.example'], rules } });
  await platform.after(5);
  await platform.patch('p1', { kind: HTTPProxy, name: web }, { spec: { rules: rules.slice(0, 1) } });
  await platform.after(seconds(20));
  const upstream = platform.api('p1').get(HTTPProxy, web)?.spec;
  for (const plane of [hub, 'e1']) {
    expect(platform.copy(HTTPProxy, 'p1', { name: 'web', plane })?.spec, plane).toEqual(upstream);
    expect(stringifyJson(platform.api(plane).objects(HTTPProxy)), plane).not.toContain('r1.example');
  }
  // One object is never in two hands at once.
  expect(slow).toBeLessThan(2);
  expect(most).toBe(1);
});

it('C45: a writer at fifty a second is met ten times a second at most, and beaten within two seconds of its end', async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  await platform.make('p1', ConfigMap, synced('cm', { a: '1' }));
  await platform.make('p1', HTTPProxy, proxy('web'));
  await platform.after(seconds(20));
  const copy = { namespace: platform.mapped('p1'), name: 'cm' };
  const mark = platform.mark;
  using recorded = platform.world.wires.record();
  for (let bump = 0; bump < 100; bump++) {
    await platform.patch(hub, { kind: ConfigMap, name: copy }, { data: { a: `theirs ${bump}`, b: 'x' } });
    await platform.after(20);
  }
  // A try is what is sent at one moment: what is wanted, and who may own it.
  const tries = new Set(
    recorded.sent
      .filter(({ actor, request }) => actor === 'r1' && request.url.includes('/configmaps/cm'))
      .map(({ at }) => at),
  );
  expect(tries.size).toBeGreaterThan(5);
  expect(tries.size).toBeLessThanOrEqual(21);
  const settled = (): boolean => {
    const { data } = platform.api(hub).get(ConfigMap, copy) ?? {};
    return data?.['a'] === '1' && data['b'] === undefined;
  };
  expect(await platform.until('as it should be', settled)).toBeLessThan(seconds(2));
  // Nobody else waited, and no error makes the next change wait.
  const failed = await platform.world.processes.process('r1').metrics.text();
  expect(failed).not.toMatch(/reconcile_total\{controller="mirror-configmaps",result="error"\} [1-9]/);
  expect(platform.writes(mark).every(({ name }) => name === 'cm')).toBe(true);
  await platform.patch('p1', { kind: HTTPProxy, name: web }, { spec: proxySpec(undefined, 'new.example') });
  await platform.patch('p1', { kind: ConfigMap, name: { ...web, name: 'cm' } }, { data: { a: '2' } });
  const changed = (): boolean => platform.api(hub).get(ConfigMap, copy)?.data?.['a'] === '2';
  expect(await platform.until('the next change', changed)).toBeLessThan(seconds(1));
  const quiet = platform.mark;
  await platform.after(seconds(60));
  expect(platform.writes(quiet)).toEqual([]);
});
