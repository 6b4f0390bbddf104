/** What an answer says of each Gateway. */
import type { EdgeIndex, ReportRow } from '@lifeline/edge';
import type { SeenGateway } from './editor.ts';
import type { Findings } from './findings.ts';

interface Told {
  readonly gateways: readonly SeenGateway[];
  readonly revision: number;
  readonly rows: readonly ReportRow[];
}

export class Rows {
  readonly #index: EdgeIndex;
  /** The last ones of an answer in which all was as wanted. */
  #last: Told | undefined;

  constructor(index: EdgeIndex) {
    this.#index = index;
  }

  /** The very rows of before where nothing else is to be said: of thousands, that is seen at once then. */
  of(gateways: readonly SeenGateway[], findings: Findings): readonly ReportRow[] {
    const { revision } = this.#index;
    const last = this.#last;
    if (findings.isClean && last?.gateways === gateways && last.revision === revision) return last.rows;
    const rows = gateways.map((gateway) => this.#rowOf(gateway, findings));
    if (findings.isClean) this.#last = { gateways, revision, rows };
    return rows;
  }

  #rowOf({ key, namespace, name, stamp = '' }: SeenGateway, findings: Findings): ReportRow {
    const { outcome, reason } = findings.verdict(key);
    return { namespace, name, stamp, intent: this.#index.intent(key), outcome, reason };
  }
}
