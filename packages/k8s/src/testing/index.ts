export { evenFaults, type FaultName, faultNames, type FaultOptions, type FaultPlan, withFaults } from './faults.ts';
export type { ScriptedCall } from './kube-call.ts';
export { Refusal, type RefusalSpec } from './refusal.ts';
export { createScriptedApi, ScriptedApi, type ScriptedApiOptions } from './scripted-api.ts';
export type { ScriptedSnapshot, ScriptedWrite } from './scripted-store.ts';
export type { ScriptedEvent } from './scripted-watch.ts';
export { type Authority, type CertificateOptions, createAuthority, type KeyPair } from './certificates.ts';
