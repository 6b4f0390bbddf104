export { app } from './app.ts';
export { config, type ReplicatorConfig } from './config.ts';
export { connectorCensus, type CensusOptions } from './connector/census.ts';
export { connectors, type ConnectorOptions } from './connector/controller.ts';
export type { LeaseSettings } from './connector/lease-writes.ts';
export { defaultPolicies, type KindSetting, kindSetting, policiesOf } from './mirror/kinds.ts';
export { Lag, type LagOptions } from './mirror/lag.ts';
export { mirrorControllers, type MirrorOptions } from './mirror/mirror.ts';
export type { KindPolicy, StatusFlow, StatusTransform } from './mirror/policy.ts';
