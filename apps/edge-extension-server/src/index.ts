/** The hook of Envoy Gateway: programs connectors into what Envoy is sent. */
export {
  type Answer,
  type Edit,
  type EditCounts,
  type Editor,
  InvalidRequest,
  type SeenGateway,
} from './edit/editor.ts';
export { createEditor, type EditorOptions } from './edit/create-editor.ts';
export { defaultEditorSettings, type EditorSettings } from './edit/settings.ts';
export { HookError, type HookErrorCode } from './hook/hook-error.ts';
export { Hook, type HookOptions } from './hook/hook.ts';
export { type ReportedCall, ReportHub, type ReportHubOptions } from './report/report-hub.ts';
