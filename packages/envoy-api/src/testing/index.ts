/** Recorded hook requests of a real Envoy Gateway, and what tests do with them. */
export { mapsOutOfOrder, withMapsShuffled } from './maps.ts';
export { recordedIntent, recording, recordings } from './recordings.ts';
export { isWellTyped } from './well-typed.ts';
