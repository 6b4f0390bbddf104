import type { ResourceInterpreterCustomization } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../manifest.ts';
import { customizations } from './customizations.ts';
import { Interpreters, type KindInterpreter } from './interpreter.ts';
import { LuaMachine } from './lua/lua-machine.ts';

const customization = (name: string, scripts: Record<string, string>): ResourceInterpreterCustomization => ({
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  metadata: { name },
  spec: {
    target: { apiVersion: 'example.com/v1', kind: 'Thing' },
    customizations: Object.fromEntries(
      Object.entries(scripts).map(([operation, luaScript]) => [operation, { luaScript }]),
    ),
  },
});

const thing: Manifest = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec: { replicas: 3, empty: {} },
};

const interpreterOf = (
  all: readonly ResourceInterpreterCustomization[],
  ...others: KindInterpreter[]
): KindInterpreter =>
  new Interpreters(
    customizations(() => all, new LuaMachine(100_000)),
    ...others.map((other) => () => other),
  ).for(thing);

describe('customizations', () => {
  it('each operation', () => {
    const interpreter = interpreterOf([
      customization('a', {
        replicaResource: 'function GetReplicas(o) return o.spec.replicas, {} end',
        replicaRevision: 'function ReviseReplica(o, n) o.spec.replicas = n return o end',
        retention: 'function Retain(d, o) d.spec.kept = o.spec.kept return d end',
        statusReflection: 'function ReflectStatus(o) return { size = o.spec.replicas } end',
        statusAggregation: 'function AggregateStatus(o, items) o.status = { items = #items } return o end',
        healthInterpretation: 'function InterpretHealth(o) return o.spec.replicas > 2 end',
      }),
    ]);
    expect(interpreter.getReplicas?.(thing)).toEqual({ replicas: 3, requirements: {} });
    expect(interpreter.reviseReplica?.(thing, 1)).toEqual({ ...thing, spec: { replicas: 1, empty: {} } });
    expect(interpreter.retain?.(thing, { ...thing, spec: { kept: 'x' } }).spec).toEqual({
      replicas: 3,
      empty: {},
      kept: 'x',
    });
    expect(interpreter.reflectStatus?.(thing)).toEqual({ size: 3 });
    expect(interpreter.aggregateStatus?.(thing, [{ clusterName: 'm1' }])).toEqual({ ...thing, status: { items: 1 } });
    expect(interpreter.interpretHealth?.(thing)).toBe(true);
  });

  it('several are merged in the order of their names; the first that defines an operation wins', () => {
    const interpreter = interpreterOf(
      [
        customization('b', {
          healthInterpretation: 'function InterpretHealth() return false end',
          statusReflection: 'function ReflectStatus() return { from = "b" } end',
        }),
        customization('a', { healthInterpretation: 'function InterpretHealth() return true end' }),
      ],
      { reflectStatus: () => 'native', aggregateStatus: (template) => template },
    );
    expect(interpreter.interpretHealth?.(thing)).toBe(true);
    expect(interpreter.reflectStatus?.(thing)).toEqual({ from: 'b' });
    expect(interpreter.aggregateStatus?.(thing, [])).toBe(thing);
    expect(interpreter.retain).toBeUndefined();
  });

  it('no requirements and no replicas is no workload', () => {
    const script = { replicaResource: 'function GetReplicas(o) return 0, nil end' };
    expect(interpreterOf([customization('a', script)]).getReplicas?.(thing)).toEqual({
      replicas: 0,
      requirements: undefined,
    });
  });

  it.each([
    ['replicaResource', 'function GetReplicas() return "3" end', 'no number'],
    ['replicaRevision', 'function ReviseReplica() return nil end', 'no table'],
    ['retention', 'function Retain() return 1 end', 'no table'],
    ['statusReflection', 'function ReflectStatus() return "x" end', 'no table'],
    ['healthInterpretation', 'function InterpretHealth() return 1 end', 'no boolean'],
    ['healthInterpretation', 'function InterpretHealth() error("why") end', 'why'],
  ])('%s: %s is refused', (operation, script, message) => {
    const interpreter = interpreterOf([customization('a', { [operation]: script })]);
    expect(() => {
      interpreter.getReplicas?.(thing);
      interpreter.reviseReplica?.(thing, 1);
      interpreter.retain?.(thing, thing);
      interpreter.reflectStatus?.(thing);
      interpreter.interpretHealth?.(thing);
    }).toThrow(message);
  });

  it('another kind is none of theirs', () => {
    const interpreters = new Interpreters(
      customizations(
        () => [customization('a', { healthInterpretation: 'function InterpretHealth() return true end' })],
        new LuaMachine(1000),
      ),
    );
    expect(interpreters.for({ apiVersion: 'example.com/v2', kind: 'Thing' }).interpretHealth).toBeUndefined();
  });
});
