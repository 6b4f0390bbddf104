/**
 * The intent of a Gateway: a digest of everything that decides how its connector backends are programmed. Retranslator and extension
 * server compute it from their own caches; equal intents mean equal programs. Worked examples: `intent-examples.ts`.
 */
import { sha256Hex } from '../contract/digest.ts';
import { edgeReasons } from '../contract/hook.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { Liveness, LivenessReason } from './classify.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';

/** The version of the digest. A retranslator whose version is lower than a reporting server's stands down. */
export const intentVersion = 1;

/** The intent of a Gateway without connector backends. It has no stamp. */
export const noIntent = 'none';

/** One connector backend as it enters the digest: as it is programmed, without the reason. */
export interface IntentBackend {
  /** Index of its rule. */
  readonly rule: number;
  /** `''` when the rule has no name. */
  readonly ruleName: string;
  /** Index in its rule, plain backends counted. */
  readonly backend: number;
  readonly connector: string;
  readonly state: 'online' | 'offline';
  /** Exactly as written; `''` when offline. */
  readonly nodeId: string;
  /** `host:port`; `''` when the endpoint is invalid. */
  readonly target: string;
  readonly tls: boolean;
  /** `tls.hostname`, else the host, when https; else `''`. */
  readonly sni: string;
}

/** A connector backend, with what logs, reports and `explain` say beside the digest. */
export interface ConnectorBackend {
  readonly intent: IntentBackend;
  readonly endpoint: Endpoint | undefined;
  /** Why it is not online. */
  readonly reason: LivenessReason | typeof edgeReasons.invalidEndpoint | undefined;
}

/** As much of an HTTPProxy as decides its connector backends. */
export interface HTTPProxyLike {
  readonly spec?: { readonly rules?: readonly RuleLike[] | null | undefined } | null | undefined;
}
interface RuleLike {
  readonly name?: string | null | undefined;
  readonly backends?: readonly BackendLike[] | null | undefined;
}
interface BackendLike {
  readonly endpoint?: string | null | undefined;
  readonly connector?: { readonly name?: string | null | undefined } | null | undefined;
  readonly tls?: { readonly hostname?: string | null | undefined } | null | undefined;
}

/**
 * The connector backends of an HTTPProxy in order. Backends without a connector are none.
 * @param livenessOf the liveness of the connector of that name in the proxy's namespace, `NodeIdTaken` included
 */
export function connectorBackends(
  proxy: HTTPProxyLike,
  livenessOf: (connector: string) => Liveness,
): readonly ConnectorBackend[] {
  return (proxy.spec?.rules ?? []).flatMap((rule, ruleIndex) =>
    (rule.backends ?? []).flatMap((backend, index) => {
      const connector = backend.connector?.name;
      if (!connector) return [];
      const endpoint = parseEndpoint(backend.endpoint);
      const liveness = livenessOf(connector);
      const online = endpoint !== undefined && liveness.state === 'online';
      const intent: IntentBackend = {
        rule: ruleIndex,
        ruleName: rule.name ?? '',
        backend: index,
        connector,
        state: online ? 'online' : 'offline',
        nodeId: online ? liveness.nodeId : '',
        target: endpoint?.target ?? '',
        tls: endpoint?.tls ?? false,
        sni: endpoint?.tls ? backend.tls?.hostname || endpoint.host : '',
      };
      return [{ intent, endpoint, reason: reasonOf(endpoint, liveness) }];
    }),
  );
}

const reasonOf = (endpoint: Endpoint | undefined, liveness: Liveness): ConnectorBackend['reason'] => {
  if (!endpoint) return edgeReasons.invalidEndpoint;
  return liveness.state === 'online' ? undefined : liveness.reason;
};

/** 16 hex digits, or {@link noIntent}. */
export const gatewayIntent = (backends: readonly IntentBackend[]): string =>
  backends.length === 0 ? noIntent : sha256Hex(intentText(backends), 16);

/** The text that is digested. */
export const intentText = (backends: readonly IntentBackend[]): string =>
  canonicalJson({
    v: intentVersion,
    backends: backends.map(({ rule, ruleName, backend, connector, state, nodeId, target, tls, sni }) => ({
      rule,
      ruleName,
      backend,
      connector,
      state,
      nodeId,
      target,
      tls,
      sni,
    })),
  });
