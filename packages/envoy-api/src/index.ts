/** Envoy's API as data: reads hook messages into readable JSON and back. For tests and tools, never on the hot path. */
export {};
