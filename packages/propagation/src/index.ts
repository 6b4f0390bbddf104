/** Karmada's semantics in small, for demos and tests: held against what was recorded from a real one. */
export { type Faults } from './faults.ts';
export { type AggregatedItem, type KindInterpreter, type Replicas } from './interpreter/interpreter.ts';
export type { Discovered } from './kinds/discovery.ts';
export type { KindName, Manifest } from './manifest.ts';
export { bindingName, type Named } from './names.ts';
export { createPropagation, type Propagation, type PropagationOptions } from './propagation.ts';
export { type Delay, type Delays, type HopControl, type HopName, hopNames } from './runtime/hops.ts';
export { type GivenSettings, type Rate, recordedSettings, type Settings, type Span } from './settings.ts';
export type { Engine } from './execution/drift.ts';
