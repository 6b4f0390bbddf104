/** The editor: reads a request once, and answers it by what the index holds then. */
import type { Clock } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { WireError } from '../wire/wire-error.ts';
import { type Corrections, noCorrections } from './corrections.ts';
import { DraftWriter, type Written } from './draft-writer.ts';
import { type Answer, type Editor, InvalidRequest } from './editor.ts';
import { Memory } from './memory.ts';
import { ObjectNames } from './object-names.ts';
import { createQuiet } from './quiet.ts';
import type { RequestParts } from './request.ts';
import { Rows } from './rows.ts';
import { scanRequest } from './scan-request.ts';
import type { EditorSettings } from './settings.ts';
import { carriedKey } from './stamp.ts';
import { validate } from './validate.ts';

export interface EditorOptions {
  readonly index: EdgeIndex;
  readonly settings: EditorSettings;
  /** For the phases only. */
  readonly clock: Clock;
}

export function createEditor({ index, settings, clock }: EditorOptions): Editor {
  const names = new ObjectNames();
  const memory = new Memory();
  const drafts = new DraftWriter({ index, settings, clock, names, memory });
  const quiet = createQuiet();
  const rows = new Rows(index);
  const stampKey = carriedKey(settings.stampKey);

  /** Drafts are checked and written anew until nothing is to be corrected. Corrections only grow, so that this ends. */
  const settled = (request: RequestParts): { written: Written; phases: Omit<Answer['phases'], 'quiet'> } => {
    const phases = { clusters: 0, routes: 0, validate: 0 };
    for (let corrections: Corrections = noCorrections; ;) {
      const written = drafts.write(request, corrections);
      const started = clock.monotonic();
      const wanted = validate(written.draft, { corrections, index });
      phases.clusters += written.phases.clusters;
      phases.routes += written.phases.routes;
      phases.validate += clock.monotonic() - started;
      if (wanted === corrections) return { written, phases };
      corrections = wanted;
    }
  };

  const scan = (bytes: Uint8Array): RequestParts => scanRequest(bytes, { names, stampKey, memory });

  const answer = (opened: RequestParts, forgotten: (() => void) | undefined): Answer => {
    const indexRevision = index.revision;
    // Another call may have been answered meanwhile.
    const request = opened.generation === memory.generation ? opened : scan(opened.bytes);
    const { written, phases } = settled(request);
    const started = clock.monotonic();
    const bytes = quiet.quiet(written.draft);
    const release = drafts.keep(written.draft, forgotten);
    return {
      bytes,
      release,
      rows: rows.of(request.gateways, written.findings),
      counts: countsOf(written),
      containedBy: written.findings.containedBy,
      indexRevision,
      phases: { ...phases, quiet: clock.monotonic() - started },
    };
  };

  return {
    open({ buffer, byteOffset, byteLength }, forgotten) {
      // A Buffer is another kind of object than what the answer stands in: code that meets both is slower.
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      const request = reading(() => scan(bytes));
      return { gateways: request.gateways, answer: () => reading(() => answer(request, forgotten)) };
    },
  };
}

const countsOf = ({ draft, findings }: Written): Answer['counts'] => ({
  clusters: draft.clusters.size,
  listeners: draft.listeners.length,
  routeConfigs: draft.routeConfigurations.length,
  clustersReplaced: findings.clustersReplaced,
  clustersOffline: findings.clustersOffline,
  connectorOfflineRoutes: findings.connectorOfflineRoutes,
  vhostsConnectorApplied: findings.vhostsConnectorApplied,
  contained: findings.contained,
  rolledBack: findings.rolledBack,
});

/** Bytes that are no message are the caller's mistake. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) throw new InvalidRequest(`no message: ${error.message}`, { cause: error });
    throw error;
  }
}
