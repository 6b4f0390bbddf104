/** One object of each kind, with every field its schema names: for tests. */
import type { KubeObject } from '../../meta/object.ts';
import { networkingSamples } from './networking.ts';
import { computeSamples } from './compute.ts';
import { miloSamples } from './milo.ts';
import { gatewaySamples } from './gateway.ts';
import { envoyGatewaySamples } from './envoy-gateway.ts';
import { karmadaSamples } from './karmada.ts';
import { kubernetesSamples } from './kubernetes.ts';

export const sampleObjects: readonly KubeObject[] = [
  ...networkingSamples,
  ...computeSamples,
  ...miloSamples,
  ...gatewaySamples,
  ...envoyGatewaySamples,
  ...karmadaSamples,
  ...kubernetesSamples,
];
