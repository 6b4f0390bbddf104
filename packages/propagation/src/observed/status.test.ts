/** Rules 20 to 23: what comes up. */
import { PropagationPolicy, ResourceInterpreterCustomization } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../execution/drift.ts';
import type { Manifest } from '../manifest.ts';
import { Connector, WorkloadDeployment } from './kinds.fixture.ts';
import { recorded } from './observed.fixture.ts';
import { Rig, the, typeOf } from './rig.fixture.ts';
import { only, recordedWrites, writesOf } from './writes.fixture.ts';

/** What the recorded interpreter does: counts, health by counts, and nodeAssignments stay the member's. */
const scripts = {
  retention: `
    function Retain(wanted, have)
      local kept = have.spec and have.spec.nodeAssignments
      if kept then wanted.spec.nodeAssignments = kept end
      return wanted
    end`,
  statusReflection: `
    function ReflectStatus(object)
      local status, notes = object.status or {}, object.metadata.annotations or {}
      return {
        replicas = status.replicas or 0,
        readyReplicas = status.readyReplicas or 0,
        inSync = status.observedGeneration ~= nil and status.observedGeneration == object.metadata.generation,
        templateGeneration = tonumber(notes["resourcetemplate.karmada.io/generation"]),
      }
    end`,
  healthInterpretation: `
    function InterpretHealth(object)
      local ready = object.status and object.status.readyReplicas or 0
      return ready >= (object.spec.replicas or 1)
    end`,
  statusAggregation: `
    function AggregateStatus(template, items)
      local status, generation = template.status or {}, template.metadata.generation or 0
      local replicas, ready, synced, clusters = 0, 0, 0, {}
      for index, item in ipairs(items or {}) do
        local own = item.status or {}
        replicas = replicas + (own.replicas or 0)
        ready = ready + (own.readyReplicas or 0)
        if item.applied and own.inSync and own.templateGeneration == generation then synced = synced + 1 end
        clusters[index] = {
          name = item.clusterName,
          replicas = own.replicas or 0,
          readyReplicas = own.readyReplicas or 0,
          applied = item.applied == true,
          health = item.health or "Unknown",
        }
      end
      status.replicas, status.readyReplicas = replicas, ready
      status.clusters = #clusters > 0 and clusters or nil
      if #clusters > 0 and synced == #clusters then status.observedGeneration = generation end
      template.status = status
      return template
    end`,
};

const customization = {
  target: typeOf(WorkloadDeployment),
  customizations: Object.fromEntries(Object.entries(scripts).map(([name, luaScript]) => [name, { luaScript }])),
};

describe('status', () => {
  it('status-without-interpreter: the whole status, as far as the binding', async () => {
    await using rig = await Rig.start();
    const target = the(WorkloadDeployment, 'plain');
    await rig.policy('wd', { resourceSelectors: [typeOf(WorkloadDeployment)] });
    await rig.clock.advance(500);
    await rig.create('hub', WorkloadDeployment, {
      metadata: { namespace: 't1', name: 'plain' },
      spec: { replicas: 2 },
    });
    await rig.clock.advance(2_000);
    rig.lines.length = 0;
    await rig.status('m1', target, { observedGeneration: 1, readyReplicas: 1, replicas: 2 });
    await rig.clock.advance(2_000);
    expect(writesOf(rig.lines)).toEqual(recordedWrites('status-without-interpreter', 'events'));
    expect(rig.binding(target)?.status?.aggregatedStatus).toEqual(recorded('status-without-interpreter', 'agg'));
    expect(rig.binding(target)?.spec.replicas).toBeUndefined();
    expect(rig.get('hub', target)).not.toHaveProperty('status');
  });

  it.each(['new', 'old'] as const)(
    'status-with-interpreter, %s engine: up to the template, by the interpreter’s word',
    async (engine: Engine) => {
      await using rig = await Rig.start({ settings: { engine } });
      await rig.create('hub', ResourceInterpreterCustomization, { metadata: { name: 'wd' }, spec: customization });
      await rig.policy('wd', { resourceSelectors: [typeOf(WorkloadDeployment)] });
      await rig.clock.advance(500);
      const target = the(WorkloadDeployment, 'ric');
      const want = (...path: readonly string[]): unknown => recorded('status-with-interpreter', ...path);
      const status = (): unknown => rig.get('hub', target).status;
      const items = (): unknown => rig.binding(target)?.status?.aggregatedStatus;
      const rest = (): Promise<void> => rig.clock.advance(2_000);
      const both = async (fields: object): Promise<void> => {
        for (const plane of ['m1', 'm2'] as const) {
          const { generation } = rig.get(plane, target).metadata;
          await rig.status(plane, target, { observedGeneration: generation, ...fields });
        }
        await rest();
      };
      await rig.create('hub', WorkloadDeployment, {
        metadata: { namespace: 't1', name: 'ric' },
        spec: { replicas: 2 },
      });
      await rest();
      expect(status()).toEqual(want('template_status_before_member_status'));
      expect(items()).toEqual(want('health_before'));

      rig.lines.length = 0;
      await rig.status('m1', target, { observedGeneration: 1, replicas: 2, readyReplicas: 1 });
      await rest();
      expect(status()).toEqual(want('status1'));
      await both({ replicas: 2, readyReplicas: 2 });
      expect(status()).toEqual(want('status2'));
      expect(items()).toEqual(want('agg2'));
      const events = recordedWrites('status-with-interpreter', 'events');
      expect(only(writesOf(rig.lines), events)).toEqual(events);

      await rig.patch('hub', target, { spec: { replicas: 3 } });
      await rest();
      expect({ status: status(), gen: rig.get('hub', target).metadata.generation }).toEqual(want('after_hub_edit'));
      await both({ replicas: 3, readyReplicas: 3 });
      expect(status()).toEqual(want('after_members_synced'));

      rig.lines.length = 0;
      await rig.patch('m1', target, { spec: { nodeAssignments: [{ node: 'a', count: 2 }], other: 'x' } });
      await rest();
      expect(rig.get('m1', target).spec).toEqual(want('retain_after_member_edit'));
      await rig.patch('hub', target, { spec: { image: 'v2' } });
      await rest();
      expect(rig.get('m1', target).spec).toEqual(want('retain_after_hub_edit'));

      rig.lines.length = 0;
      const before = status() as { readonly replicas: number };
      await rig.status('hub', target, { replicas: 99, note: 'mine' });
      await rest();
      expect(status()).toEqual({ ...before, replicas: 99, note: 'mine' });
      expect(rig.lines).toHaveLength(1);
      await rig.status('m1', target, { readyReplicas: 1 });
      await rest();
      expect(status()).toMatchObject({ note: 'mine', replicas: 6, readyReplicas: 4 });

      rig.lines.length = 0;
      await rig.delete('m1', target);
      await rest();
      expect(rig.get('m1', target).spec).toEqual(want('member_recreated_status', 'retained'));
      expect(status()).toMatchObject({ note: 'mine', replicas: 3, readyReplicas: 3 });
      expect((items() as readonly unknown[])[0]).toEqual(
        (want('member_recreated_status', 'agg') as readonly unknown[])[0],
      );
      const recreated = recordedWrites('status-with-interpreter', 'recreate_events');
      expect(only(writesOf(rig.lines), recreated)).toEqual(recreated);
    },
  );

  it('status-with-interpreter: one cluster left, and none', async () => {
    await using rig = await Rig.start();
    await rig.create('hub', ResourceInterpreterCustomization, { metadata: { name: 'wd' }, spec: customization });
    await rig.policy('wd', {
      resourceSelectors: [typeOf(WorkloadDeployment)],
      placement: { clusterAffinity: { clusterNames: ['m1'] } },
    });
    await rig.clock.advance(500);
    const target = the(WorkloadDeployment, 'less');
    await rig.create('hub', WorkloadDeployment, { metadata: { namespace: 't1', name: 'less' }, spec: { replicas: 2 } });
    await rig.clock.advance(2_000);
    await rig.status('m1', target, { replicas: 1, readyReplicas: 1 });
    await rig.clock.advance(2_000);
    expect(rig.get('hub', target).status).toEqual(recorded('status-with-interpreter', 'one_cluster'));
    await rig.patch('hub', the(PropagationPolicy, 'wd'), {
      spec: { placement: { clusterAffinity: { clusterNames: ['m9'] } } },
    });
    await rig.clock.advance(2_000);
    expect(rig.get('hub', target).status).toEqual(recorded('status-with-interpreter', 'no_cluster_left'));
  });

  it('a reflection that fails keeps the last status; a health that fails is unknown', async () => {
    const interpreters = {
      'networking.datumapis.com/v1alpha1 Connector': {
        reflectStatus: ({ status }: Manifest) => {
          if ((status as { bad?: boolean } | undefined)?.bad) throw new Error('bad');
          return status;
        },
        interpretHealth: () => {
          throw new Error('who knows');
        },
      },
    };
    await using rig = await Rig.start({ interpreters });
    await rig.connectors();
    await rig.clock.advance(500);
    const target = the(Connector, 'a');
    await rig.connector('a');
    await rig.clock.advance(1_000);
    await rig.status('m1', target, { n: 1 });
    await rig.clock.advance(1_000);
    await rig.status('m1', target, { n: 2, bad: true });
    await rig.clock.advance(1_000);
    expect(rig.binding(target)?.status?.aggregatedStatus?.[0]).toEqual({
      applied: true,
      clusterName: 'm1',
      health: 'Unknown',
      status: { n: 1 },
    });
    await rig.status('m1', target, { bad: null });
    await rig.clock.advance(60_000);
    expect(rig.binding(target)?.status?.aggregatedStatus?.[0]?.status).toEqual({ n: 2 });
  });
});
