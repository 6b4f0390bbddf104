/** What of the hook's work can be set. */
import { annotations, edgeDefaults } from '@lifeline/core';

export interface EditorSettings {
  /** The host that stands for "through a connector". Only endpoints with this host are ever edited. */
  readonly placeholderHost: string;
  /** Of Envoy's bootstrap; it dials the tunnel gateway. */
  readonly internalListener: string;
  /** What an offline route answers, as it is: no format, at most {@link edgeDefaults.offlineBodyLimitBytes} bytes. */
  readonly offlineBody: string;
  readonly retryAfterSeconds: number;
  /** The annotation on the Gateway. The hook sees it, without its prefix, only if Envoy Gateway carries it. */
  readonly stampKey: string;
}

export const defaultEditorSettings: EditorSettings = {
  placeholderHost: edgeDefaults.placeholderHost,
  internalListener: edgeDefaults.internalListener,
  offlineBody: edgeDefaults.offlineBody,
  retryAfterSeconds: edgeDefaults.retryAfterSeconds,
  stampKey: annotations.intent,
};
