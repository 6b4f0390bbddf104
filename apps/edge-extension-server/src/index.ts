/** The hook of Envoy Gateway: programs connectors into what Envoy is sent. */
export { app } from './app.ts';
export { config, type ExtensionServerConfig } from './config.ts';
export { createEditor, type EditorOptions } from './edit/create-editor.ts';
export {
  type Answer,
  type Edit,
  type EditCounts,
  type Editor,
  InvalidRequest,
  type SeenGateway,
} from './edit/editor.ts';
export { defaultEditorSettings, type EditorSettings } from './edit/settings.ts';
export { extensionServer, type ExtensionServer, type ExtensionServerOptions } from './extension-server.ts';
export type { HookCall, Reply } from './hook/hook-call.ts';
export { HookError, type HookErrorCode } from './hook/hook-error.ts';
export type { CallOutcome } from './hook/hook-metrics.ts';
export { Hook, type HookOptions } from './hook/hook.ts';
export { programmedPage, type ProgrammedPage, type ProgrammedRow } from './report/debug-page.ts';
export { ReportHub, type ReportHubOptions, type ReportedCall } from './report/report-hub.ts';
export { extensionServerRights, type ExtensionServerRights } from './rights.ts';
