/** How far the heap may grow before V8 marks it. */
import { setFlagsFromString } from 'node:v8';

/** In percent of what lives. As much as Go's runtime grants by default. */
const growthPercent = 100;

/**
 * For a process whose memory is mostly messages. V8 counts them, which stand outside of its heap, but decides by what is allocated inside
 * how far the two may grow: a call that remembers everything allocates next to nothing there, so that V8 grants 10 %, and marks the heap of
 * 5,000 Gateways for every third of their messages. For the whole process, from now on.
 */
export const growHeapByMessages = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
