import { Secret } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createScriptedApi } from '../../testing/scripted-api.ts';
import { kubeconfig } from '../../testing/kubeconfig.ts';
import { testEnv } from '../../testing/test-env.ts';
import { fleetFactory } from '../fleet-factory.ts';
import { secretSource } from './secret-source.ts';
import { staticSource } from './static-source.ts';

const host = 'https://host.test';

const secret = (name: string, text: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'planes', name, labels: { plane: 'yes' } },
  data: { kubeconfig: Buffer.from(text).toString('base64') },
});

describe('secretSource', () => {
  it('engages, moves and disengages clusters; what cannot be read changes nothing, and no secret is logged', async () => {
    const clock = new VirtualClock();
    const running = new AbortController();
    const api = createScriptedApi({ clock, random: seeded('host'), kinds: [Secret] });
    const env = testEnv({
      clock,
      signal: running.signal,
      planes: { [host]: api, 'https://p1.test': api, 'https://moved.test': api },
    });
    const fleet = fleetFactory(env, 'test');
    const hosts = fleet({ plane: 'host', source: staticSource({ host: { endpoint: { server: host } } }) });
    const source = secretSource({ host: hosts, namespace: 'planes', labelSelector: 'plane=yes', log: env.log });
    const planes = fleet({ plane: 'project', source });
    const runs = [hosts.run(running.signal), planes.run(running.signal)];
    const names = (): string[] => planes.list().map(({ name }) => name);

    api.put(Secret, secret('p1', kubeconfig('https://p1.test', 'hush')));
    api.put(Secret, {
      ...secret('other', kubeconfig('https://p1.test', 'hush')),
      metadata: { namespace: 'planes', name: 'other' },
    });
    await clock.advance(1_000);
    expect(names()).toEqual(['p1']);
    const cluster = planes.get('p1');

    api.put(Secret, secret('p1', 'no kubeconfig'));
    api.put(Secret, secret('p2', kubeconfig('https://p1.test', 'hush').slice(0, 40)));
    await clock.advance(1_000);
    expect(names()).toEqual(['p1']);
    expect(env.lines.filter((line) => line.includes('what was engaged stays'))).toHaveLength(2);

    api.put(Secret, secret('p1', kubeconfig('https://p1.test', 'hush2')));
    await clock.advance(1_000);
    expect(planes.get('p1')).toBe(cluster);

    api.remove(Secret, { namespace: 'planes', name: 'p1' });
    await clock.advance(1_000);
    expect(names()).toEqual([]);
    expect(cluster.signal.aborted).toBe(true);
    expect(env.lines.join('')).not.toContain('hush');
    running.abort(new Error('stop'));
    await Promise.all(runs);
    expect(clock.pending).toBe(0);
  });
});
