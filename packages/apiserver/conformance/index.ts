/** What every control plane must do: cases as data, and a runner. Raw requests over core's Transport; any server will do. */
export { conformanceCases } from './cases/index.ts';
export { nodeTransport, type NodeTransportOptions } from './node-transport.ts';
export { reportLine, runConformance, type RunOptions, summary } from './run-conformance.ts';
export { type Result, Session } from './session.ts';
export type { Capabilities, Credentials, Need, Target } from './target.ts';
export type { TestCase } from './test-case.ts';
export { untilCompacted } from './until-compacted.ts';
