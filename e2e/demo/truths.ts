/** What the platform's rules make of a few documents: no planes, no time. */
import { annotations, canonicalJson, classifyLiveness, type ConnectorLike, parseJson } from '@lifeline/core';

/** A status as a server sends it, with an integer that a double cannot hold. */
export const sentStatus = '{"observedGeneration":9007199254740993}';

export interface Digits {
  readonly sent: string;
  /** Read and written by us. */
  readonly ours: string;
  /** Read and written by JavaScript alone. */
  readonly plain: string;
}

export const digits = (): Digits => ({
  sent: sentStatus,
  ours: canonicalJson(parseJson(sentStatus)),
  plain: JSON.stringify(JSON.parse(sentStatus)),
});

const nodeId = '5a'.repeat(32);
/** The status of a connector whose agent is known, and ready or not. */
export const connectorStatus = (ready: 'True' | 'False'): object => ({
  conditions: [{ type: 'Ready', status: ready, reason: ready === 'True' ? 'ConnectorReady' : 'LeaseExpired' }],
  connectionDetails: { type: 'PublicKey', publicKey: { id: nodeId } },
});

/** A connector as an edge has it: the truth stands in an annotation, for status does not travel down. */
const connector = (mirrored: object | undefined, live?: object): ConnectorLike => ({
  metadata: { annotations: mirrored && { [annotations.upstreamStatus]: JSON.stringify(mirrored) } },
  status: live,
});

export interface Verdict {
  readonly of: string;
  readonly says: string;
}

/** What our apps make of a connector. Undefined: there is none. */
export function verdictOf(seen: ConnectorLike | undefined): string {
  const liveness = classifyLiveness(seen);
  return liveness.state === 'online' ? 'online' : `${liveness.state}: ${liveness.reason}`;
}

const verdict = (of: string, seen: ConnectorLike | undefined): Verdict => ({ of, says: verdictOf(seen) });

export const verdicts = (): readonly Verdict[] => [
  verdict('the annotation says Ready', connector(connectorStatus('True'))),
  verdict('the annotation says not Ready', connector(connectorStatus('False'))),
  verdict(
    'the annotation says not Ready, a stale status Ready',
    connector(connectorStatus('False'), connectorStatus('True')),
  ),
  verdict('there is no such connector', undefined),
];
