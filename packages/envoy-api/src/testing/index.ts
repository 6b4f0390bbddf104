/** Recorded hook requests of a real Envoy Gateway, for tests and benches. */
export { recordedIntent, recording, recordings } from './recordings.ts';
