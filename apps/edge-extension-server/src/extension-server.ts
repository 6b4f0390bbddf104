/** What answers calls, without any network: the editor, the hook around it and the reports. */
import type { Env } from '@lifeline/k8s';
import type { EdgeIndex } from '@lifeline/edge';
import type { ExtensionServerConfig } from './config.ts';
import { createEditor } from './edit/create-editor.ts';
import type { Editor } from './edit/editor.ts';
import { Hook } from './hook/hook.ts';
import { warmUp } from './hook/warm-up.ts';
import { ReportHub } from './report/report-hub.ts';
import type { Tracer } from './trace/trace-exporter.ts';

export interface ExtensionServerOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log' | 'metrics'>;
  readonly settings: Pick<ExtensionServerConfig, 'edit' | 'hook' | 'stampAnnotation'>;
  readonly index: EdgeIndex;
  readonly tracer?: Tracer | undefined;
}

export interface ExtensionServer extends Disposable {
  readonly hook: Hook;
  readonly reports: ReportHub;
  /** For when the index is synced and nobody has called. */
  warmUp(): void;
}

export function extensionServer({ env, settings, index, tracer }: ExtensionServerOptions): ExtensionServer {
  const { edit, stampAnnotation, hook: limits } = settings;
  const newEditor = (): Editor =>
    createEditor({ index, settings: { ...edit, stampKey: stampAnnotation }, clock: env.clock });
  const editor = newEditor();
  const reports = new ReportHub({ clock: env.clock, replica: env.random.uuid() });
  const hook = new Hook({ ...env, ...limits, index, editor, reports, tracer });
  return {
    hook,
    reports,
    warmUp: () => warmUp(newEditor, index),
    [Symbol.dispose]: () => {
      reports.close();
      hook[Symbol.dispose]();
    },
  };
}
