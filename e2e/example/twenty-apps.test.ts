/** No module-level state: apps of one process share nothing but the code. */
import { app, config } from '@lifeline/example-mirror';
import { ConfigMap, Lease } from '@lifeline/core';
import { kubeconfig, Simulation } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { configMap, seconds } from '../reports/world.ts';

describe('twenty apps in one process', () => {
  it('each has its own leader, registry and health, and stops alone', async () => {
    const worlds = Array.from({ length: 20 }, (_, index) => {
      const sim = new Simulation({
        seed: index,
        planes: ['target', 'p1'],
        kinds: [ConfigMap, Lease],
        app,
        config: config.parse({
          sources: { kubeconfigs: '/sources' },
          target: { kubeconfig: '/target' },
          leaderElection: {},
        }),
        files: {
          '/target': kubeconfig(Simulation.serverOf('target')),
          '/sources/p1.yaml': kubeconfig(Simulation.serverOf('p1')),
        },
      });
      sim.plane('p1').put(ConfigMap, configMap('o', { index: String(index) }));
      sim.start('a');
      return sim;
    });
    // The first leader ever waits for a whole lease.
    for (let i = 0; i < 30; i++) for (const { clock } of worlds) await clock.advance(seconds(1));
    for (const [index, sim] of worlds.entries()) {
      expect(
        sim
          .plane('target')
          .objects(ConfigMap)
          .map(({ data }) => data),
      ).toEqual([{ index: String(index) }]);
      const text = await sim.process('a').metrics.text();
      expect(text).toContain('leader_election_master_status{name="example-mirror"} 1');
      expect(text).toMatch(/controller_runtime_reconcile_total\{controller="mirror",result="success"\} [1-9]\d?\n/);
    }
    await worlds[0]?.stop();
    expect(worlds[0]?.clock.pending).toBe(0);
    expect(worlds[1]?.process('a').health.readyz().ok).toBe(true);
    for (const sim of worlds.slice(1)) await sim.stop();
  });
});
