/** The whole platform in one process under a virtual clock, with everything that can go wrong, and the oracles that say what must not. */
export { answerFaults } from './edge/answer-faults.ts';
export { EnvoyGateway, type EnvoyGatewayOptions, InjectedHookError } from './edge/envoy-gateway.ts';
export { Envoy, type Served, type Tunnel, tunnelOf } from './edge/envoy.ts';
export {
  type Hook,
  type HookCall,
  type HookCode,
  HookError,
  type HookInterceptor,
  type HookRequest,
  type Hooks,
} from './edge/hook.ts';
export { targetsOf, virtualHostsOf, type XdsSnapshot } from './edge/xds.ts';
export { answerBytes, requestOf } from './edge/xds-wire.ts';
export { type ApiRestart, restartApiServer } from './faults/api-restart.ts';
export { type FaultEntry, faultCatalogue, type FaultId, type InjectionPoint } from './faults/catalogue.ts';
export { gatewayFixture, type GatewayFixtureConfig } from './fixtures/gateway-app.ts';
export { gatewayController, type GatewayControllerOptions } from './fixtures/gateway-controller.ts';
export { gatewayObjects, type GatewayObjectOptions, type Made } from './fixtures/gateway-objects.ts';
export { Invariants, invariants, type Pending } from './invariants.ts';
export { oracleCatalogue, type OracleEntry, type OracleId } from './oracles/catalogue.ts';
export type { Finding, IdleSpan } from './oracles/oracle.ts';
export type {
  ClaimRules,
  CopyRules,
  ElectionRules,
  HookRules,
  IdleRules,
  Mirrored,
  Output,
  Placed,
  ShardRules,
  Subject,
  TenantRules,
  Upstream,
} from './oracles/subject.ts';
export { Truth } from './oracles/truth.ts';
export { groupsOfRole, kindsOfRole, type PlaneRole } from './plane-roles.ts';
export { type BatchOptions, checkSchedule, runBatch, ScheduleError } from './modes/batch.ts';
export { atEveryPair, atEveryWrite, type CausalPair, causalPairs, type Reincarnation } from './modes/enumerate.ts';
export { type Metamorphosis, orderFinding, pathFinding } from './modes/metamorphic.ts';
export { type Outcome, run } from './modes/run.ts';
export { drawSchedule, drawTwin } from './modes/swarm.ts';
export { sumOf, type Tally, vacuous } from './modes/tally.ts';
export { type Twin, twinFrom } from './modes/twin.ts';
export type { Act, DrawnAct, Pace, Scenario, Setting, Workload } from './schedule/scenario.ts';
export { type ActStep, type Aftermath, type FaultStep, type Schedule, type Step, withSteps } from './schedule/step.ts';
export { Karmada, type KarmadaSpec } from './world/karmada.ts';
export { type ApiFactory, type Plane, type PlaneParts, type PlaneSpec, urlOf } from './world/plane.ts';
export { type AppSpec, launch, type Launch } from './world/processes.ts';
export { type EdgeSpec, World, type WorldSpec } from './world/world.ts';
