/** Scenarios that were played on a kube-apiserver 1.36.3, one request a second, and what it answered. */
import { stringifyJson } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { playScenario, readRecording } from './replay.fixture.ts';

const recording = readRecording(new URL('testdata/observed.json', import.meta.url));

describe('as a real server does it', () => {
  it.each(recording.scenarios)('$kind: $name', async (scenario) => {
    for (const [index, { step, recorded, ours }] of (await playScenario(recording, scenario)).entries()) {
      expect(ours, `step ${index}: ${stringifyJson(step.body ?? step.raw)}`).toEqual(recorded);
    }
  });
});
