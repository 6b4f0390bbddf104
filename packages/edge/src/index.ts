/** What the apps of an edge share: the index of connector backends, what was programmed, and when to translate again. */
export type {
  BackendProgram,
  EdgeIndex,
  EdgeIndexListener,
  GatewayChange,
  GatewayState,
  ProxyProgram,
  RuleProgram,
} from './index/edge-index.ts';
export type { SeenConnector } from './index/connector-table.ts';
export { type EdgeIndexFeed, type EdgeIndexFeedOptions, feedEdgeIndex } from './index/feed.ts';
export { LiveIndex, type LiveIndexOptions, type SeenGateway } from './index/live-index.ts';
export type { SharedNodeIds } from './index/node-claims.ts';
export { edgeIndexRights, type EdgeIndexRights, type ReadSettings } from './index/reads.ts';
export type {
  CallerReport,
  CallPhase,
  CallReport,
  ReportMessage,
  ReportRow,
  ReportSource,
  SyncedReport,
} from './report/report.ts';
export { remoteReports, type RemoteReportsOptions } from './report/remote.ts';
export { programmedPackage, programmedProto, programmedService } from './report/service.ts';
export {
  retranslation,
  type RetranslationOptions,
  type RetranslationRights,
  retranslationRights,
} from './retranslator/retranslation.ts';
export { Peers, type PeersOptions } from './retranslator/peers.ts';
export { Retranslator, type RetranslatorOptions } from './retranslator/retranslator.ts';
export { stamper, type StamperOptions, type WriteStamp } from './retranslator/stamper.ts';
export { indexSettings, indexWarnings, type ReportSettings, reportSettings } from './settings.ts';
