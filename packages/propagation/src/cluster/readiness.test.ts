import { epochMs, type KarmadaCluster } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { taints } from '../words.ts';
import { type Probe, Readiness } from './readiness.ts';
import { wantedTaints } from './taints.ts';

const cluster = (ready?: 'True' | 'False' | 'Unknown', own: readonly string[] = []): KarmadaCluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'm1' },
  spec: { syncMode: 'Push', taints: own.map((key) => ({ key, effect: 'NoSchedule' })) },
  status: { conditions: ready ? [{ type: 'Ready', status: ready, reason: 'r', message: 'm' }] : [] },
});

describe('Ready', () => {
  /** Probes 10 s apart; what Ready says after each. */
  async function after(...probes: readonly Probe[]): Promise<readonly string[]> {
    const clock = new VirtualClock();
    const readiness = new Readiness(clock, { failureMs: 30_000, successMs: 20_000 });
    const seen: string[] = [];
    for (const probe of probes) {
      const condition = readiness.judge(cluster(seen.at(-1) as 'True' | undefined), probe);
      seen.push(condition.status);
      await clock.advance(10_000);
    }
    return seen;
  }

  const up = 'healthy';
  const down = 'unreachable';
  it.each([
    { name: 'the first look counts', probes: [up], want: ['True'] },
    { name: '… either way', probes: [down, down], want: ['False', 'False'] },
    { name: 'a short outage is none', probes: [up, down, down, up], want: ['True', 'True', 'True', 'True'] },
    { name: 'a long one is', probes: [up, down, down, down, down], want: ['True', 'True', 'True', 'True', 'False'] },
    { name: 'recovery takes its time', probes: [down, up, up, up], want: ['False', 'False', 'False', 'True'] },
    {
      name: 'each relapse starts anew',
      probes: [up, down, down, up, down, down, down],
      want: ['True', 'True', 'True', 'True', 'True', 'True', 'True'],
    },
  ] as const)('$name', async ({ probes, want }) => {
    expect(await after(...probes)).toEqual(want);
  });

  it('forgets a cluster that is gone', () => {
    const readiness = new Readiness(new VirtualClock(), { failureMs: 30_000, successMs: 20_000 });
    readiness.judge(cluster(), 'healthy');
    readiness.forget('m1');
    expect(readiness.judge(cluster('True'), 'unreachable').reason).toBe('ClusterNotReachable');
  });
});

describe('taints', () => {
  const now = epochMs(0);
  it.each([
    { name: 'new', of: cluster(), want: [taints.notReady] },
    { name: 'not ready', of: cluster('False'), want: [taints.notReady] },
    { name: 'unknown', of: cluster('Unknown', [taints.notReady]), want: [taints.unreachable] },
    { name: 'ready again', of: cluster('True', ['own', taints.notReady]), want: ['own'] },
    { name: 'ready', of: cluster('True', ['own']), want: undefined },
    { name: 'not ready still', of: cluster('False', [taints.notReady, 'own']), want: undefined },
  ])('$name', ({ of, want }) => {
    expect(wantedTaints(of, now)?.map(({ key }) => key)).toEqual(want);
  });
});
