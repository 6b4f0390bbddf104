export const connectorName = (index: number): string => `c-${index}`;

/** One of many ids of a connector's agent. */
export const nodeId = (connector: string, turn: number): string =>
  (Number(connector.slice(2)) * 1_000 + turn).toString(16).padStart(64, '0');
