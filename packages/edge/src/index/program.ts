/** An HTTPProxy as it is to be programmed. */
import {
  type ConnectorBackend,
  connectorBackends,
  deepEqual,
  gatewayIntent,
  type HTTPProxyLike,
  type Liveness,
  type MonotonicMs,
  type ObjectKey,
} from '@lifeline/core';
import type { BackendProgram, ProxyProgram } from './edge-index.ts';

export interface ProgramInputs {
  readonly key: ObjectKey;
  readonly proxy: HTTPProxyLike;
  /** By the connector's name, in the proxy's namespace. */
  readonly livenessOf: (connector: string) => Liveness;
  readonly now: MonotonicMs;
  /** What was wanted until now. */
  readonly old: ProxyProgram | undefined;
}

/** The very object `old` when nothing of it would change. */
export function proxyProgram({ key, proxy, livenessOf, now, old }: ProgramInputs): ProxyProgram {
  const backends = connectorBackends(proxy, livenessOf);
  const rules = (proxy.spec?.rules ?? []).map((rule) => ({
    name: rule.name ?? '',
    backends: new Array<BackendProgram | undefined>(rule.backends?.length ?? 0).fill(undefined),
  }));
  for (const backend of backends) {
    const { rule, backend: index } = backend.intent;
    rules[rule]?.backends.splice(index, 1, backendProgram(backend));
  }
  if (old && deepEqual(old.rules, rules)) return old;
  const intent = gatewayIntent(backends.map((backend) => backend.intent));
  return { key, rules, intent, since: old?.intent === intent ? old.since : now };
}

const backendProgram = ({ intent, endpoint, reason }: ConnectorBackend): BackendProgram => ({
  rule: intent.rule,
  ruleName: intent.ruleName,
  backend: intent.backend,
  connector: intent.connector,
  state: intent.state,
  reason,
  nodeId: intent.nodeId,
  endpoint,
  sni: intent.sni,
});

/** The names of the connectors that an HTTPProxy goes through, each once. */
export const connectorsOf = (proxy: HTTPProxyLike): ReadonlySet<string> =>
  new Set(
    (proxy.spec?.rules ?? []).flatMap(({ backends }) =>
      (backends ?? []).flatMap(({ connector }) => connector?.name || []),
    ),
  );
