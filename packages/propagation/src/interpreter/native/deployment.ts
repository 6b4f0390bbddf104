/** What Karmada knows of Deployments by itself. @see karmada-io/karmada@f8fdd02 pkg/resourceinterpreter/default/native */
import {
  addQuantities,
  formatQuantity,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseQuantity,
} from '@lifeline/core';
import { annotationOf, at, itemsAt, labelOf, type Manifest, present, specOf } from '../../manifest.ts';
import { annotations, labels } from '../../words.ts';
import type { AggregatedItem, KindInterpreter } from '../interpreter.ts';

const counters = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'] as const;

export const deployment: KindInterpreter = {
  getReplicas: (object) => ({ replicas: numberAt(object, 'spec', 'replicas'), requirements: requestsOf(object) }),
  reviseReplica: (object, replicas) => withReplicas(object, replicas),
  retain: (desired, observed) =>
    labelOf(desired, labels.retainReplicas) === 'true'
      ? withReplicas(desired, at(observed, 'spec', 'replicas'))
      : desired,
  reflectStatus: (object) => {
    if (!isJsonObject(object.status)) return undefined;
    const from = annotationOf(object, annotations.templateGeneration);
    return present({
      ...Object.fromEntries(counters.map((counter) => [counter, at(object, 'status', counter)])),
      observedGeneration: at(object, 'status', 'observedGeneration'),
      generation: at(object, 'metadata', 'generation'),
      resourceTemplateGeneration: from === undefined ? undefined : Number(from),
    });
  },
  aggregateStatus: (template, items) => {
    const sums = Object.fromEntries(
      counters.map((counter) => [counter, items.reduce((sum, { status }) => sum + numberAt(status, counter), 0)]),
    );
    const generation = at(template, 'metadata', 'generation');
    const observed = items.every((item) => isCurrent(item, Number(generation ?? 0)));
    const observedGeneration = observed ? generation : at(template, 'status', 'observedGeneration');
    const old = isJsonObject(template.status) ? template.status : {};
    const counted = Object.fromEntries(Object.entries(sums).filter(([counter, sum]) => sum > 0 || counter in old));
    return { ...template, status: present({ ...old, ...counted, observedGeneration }) };
  },
  interpretHealth: (object) => {
    const updated = numberAt(object, 'status', 'updatedReplicas');
    return (
      numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation') &&
      updated >= numberAt(object, 'spec', 'replicas') &&
      numberAt(object, 'status', 'availableReplicas') >= updated
    );
  },
};

/** The copy is made from this generation of the template, and its controller has seen it. */
const isCurrent = ({ status }: AggregatedItem, generation: number): boolean =>
  isJsonObject(status) &&
  numberAt(status, 'resourceTemplateGeneration') === generation &&
  numberAt(status, 'observedGeneration') === numberAt(status, 'generation');

const withReplicas = (object: Manifest, replicas: JsonValue | undefined): Manifest => ({
  ...object,
  spec: present({ ...specOf(object), replicas }),
});

/** What one replica asks for. Undefined when it asks for nothing. */
function requestsOf(object: Manifest): JsonObject | undefined {
  const sums = new Map<string, string>();
  for (const container of itemsAt(object, 'spec', 'template', 'spec', 'containers')) {
    const requests = at(container, 'resources', 'requests');
    for (const [resource, quantity] of Object.entries(isJsonObject(requests) ? requests : {})) {
      const sum = sums.get(resource);
      const own = textOf(quantity);
      sums.set(
        resource,
        sum === undefined ? own : formatQuantity(addQuantities(parseQuantity(sum), parseQuantity(own))),
      );
    }
  }
  return sums.size > 0 ? { resourceRequest: Object.fromEntries(sums) } : undefined;
}

const textOf = (quantity: JsonValue | undefined): string =>
  typeof quantity === 'string' ? quantity : String(Number(quantity));

const numberAt = (value: unknown, ...path: readonly string[]): number => Number(at(value, ...path) ?? 0);
