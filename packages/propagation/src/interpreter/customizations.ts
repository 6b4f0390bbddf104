/** What users tell Karmada about kinds: ResourceInterpreterCustomizations. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ResourceInterpreterCustomization,
} from '@lifeline/core';
import { byName, type KindName, kindName, type Manifest } from '../manifest.ts';
import { firstOfEach, type InterpreterSource, type KindInterpreter } from './interpreter.ts';
import { LuaError } from './lua/lua-error.ts';
import type { LuaMachine } from './lua/lua-machine.ts';

/** Several for one kind are merged in the order of their names. @param all as they are now; asked on each use */
export function customizations(
  all: () => Iterable<ResourceInterpreterCustomization>,
  machine: LuaMachine,
): InterpreterSource {
  return (kind: KindName) => {
    const found = [...all()].filter(({ spec }) => kindName(spec.target) === kind).toSorted(byName);
    return found.length > 0 ? firstOfEach(found.map((customization) => scripted(customization, machine))) : undefined;
  };
}

/** The operations that one customization defines. */
function scripted({ spec }: ResourceInterpreterCustomization, machine: LuaMachine): KindInterpreter {
  const { customizations: scripts } = spec;
  const of = <Operation>(
    script: { readonly luaScript: string } | null | undefined,
    operation: (luaScript: string) => Operation,
  ): Operation | undefined => (script?.luaScript ? operation(script.luaScript) : undefined);
  return {
    getReplicas: of(scripts.replicaResource, (script) => (object) => {
      const [replicas, requirements] = machine.call({ script, name: 'GetReplicas', args: [json(object)], results: 2 });
      if (typeof replicas !== 'number') throw new LuaError('GetReplicas: the first result is no number');
      if (isJsonArray(requirements) || (requirements !== null && !isJsonObject(requirements)))
        throw new LuaError('GetReplicas: the second result is no table');
      return { replicas: Math.trunc(replicas), requirements: requirements ?? undefined };
    }),
    reviseReplica: of(scripts.replicaRevision, (script) => (object, replicas) => {
      const args = [json(object), replicas];
      return table(
        'ReviseReplica',
        machine.call({ script, name: 'ReviseReplica', args, results: 1, originals: [json(object)] }),
      ) as unknown as Manifest;
    }),
    retain: of(scripts.retention, (script) => (desired, observed) => {
      const args = [json(desired), json(observed)];
      return table(
        'Retain',
        machine.call({ script, name: 'Retain', args, results: 1, originals: args }),
      ) as unknown as Manifest;
    }),
    reflectStatus: of(
      scripts.statusReflection,
      (script) => (object) =>
        table('ReflectStatus', machine.call({ script, name: 'ReflectStatus', args: [json(object)], results: 1 })),
    ),
    aggregateStatus: of(scripts.statusAggregation, (script) => (template, items) => {
      const args = [json(template), items as unknown as JsonValue];
      const result = table('AggregateStatus', machine.call({ script, name: 'AggregateStatus', args, results: 1 }));
      // Only the status is ever written: the rest of the result is not asked for.
      const { status: _, ...rest } = template;
      return { ...rest, ...(isJsonObject(result['status']) ? { status: result['status'] } : {}) };
    }),
    interpretHealth: of(scripts.healthInterpretation, (script) => (object) => {
      const [health] = machine.call({ script, name: 'InterpretHealth', args: [json(object)], results: 1 });
      if (typeof health !== 'boolean') throw new LuaError('InterpretHealth: the result is no boolean');
      return health;
    }),
  };
}

const json = (object: Manifest): JsonValue => object as unknown as JsonValue;

function table(name: string, [result]: readonly JsonValue[]): JsonObject {
  if (!isJsonObject(result)) throw new LuaError(`${name}: the result is no table`);
  return result;
}
