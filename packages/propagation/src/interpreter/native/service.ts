/** What Karmada knows of Services by itself. @see karmada-io/karmada@f8fdd02 pkg/resourceinterpreter/default/native */
import { isJsonObject, type JsonValue } from '@lifeline/core';
import { at, itemsAt, type Manifest, specOf } from '../../manifest.ts';
import type { KindInterpreter } from '../interpreter.ts';

/** Given out by the member's API server, and not to be changed. */
const ownFields = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

export const service: KindInterpreter = {
  retain: (desired, observed) => {
    const kept = ownFields.flatMap((field): [string, JsonValue][] => {
      const value = at(observed, 'spec', field);
      return value === undefined ? [] : [[field, value]];
    });
    return { ...desired, spec: { ...specOf(desired), ...Object.fromEntries(kept) } };
  },
  reflectStatus: (object) =>
    isBalanced(object) ? { loadBalancer: at(object, 'status', 'loadBalancer') ?? {} } : undefined,
  aggregateStatus: (template, items) => {
    if (!isBalanced(template)) return template;
    const ingress = items.flatMap(({ clusterName, status }) =>
      itemsAt(status, 'loadBalancer', 'ingress')
        .filter(isJsonObject)
        .map((entry) => ({ hostname: clusterName, ...entry })),
    );
    const old = isJsonObject(template.status) ? template.status : {};
    return { ...template, status: { ...old, loadBalancer: ingress.length > 0 ? { ingress } : {} } };
  },
  interpretHealth: (object) => !isBalanced(object) || itemsAt(object, 'status', 'loadBalancer', 'ingress').length > 0,
};

const isBalanced = (object: Manifest): boolean => at(object, 'spec', 'type') === 'LoadBalancer';
