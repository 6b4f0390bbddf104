export { evenFaults, type FaultName, faultNames, type FaultOptions, type FaultPlan, withFaults } from './faults.ts';
export type { ScriptedCall } from './kube-call.ts';
export { Refusal, type RefusalSpec } from './refusal.ts';
export { createScriptedApi, ScriptedApi, type ScriptedApiOptions } from './scripted-api.ts';
export type { ScriptedSnapshot, ScriptedWrite } from './scripted-store.ts';
export type { ScriptedEvent } from './scripted-watch.ts';
export { connection } from './connection.ts';
export { filesOf } from './files.ts';
export { kubeconfig } from './kubeconfig.ts';
export { SimulatedProcess, type ProcessOptions } from './simulated-process.ts';
export { Simulation, type SimulationOptions } from './simulation.ts';
export { Trace } from './trace.ts';
export { type Authority, type CertificateOptions, createAuthority, type KeyPair } from './certificates.ts';
export {
  type H2Loopback,
  listenH2,
  listenPlain,
  listenTls,
  type Loopback,
  loopbackCertificate,
  until,
} from './loopback.ts';
export { testEnv, type TestEnv, type TestEnvOptions } from './test-env.ts';
