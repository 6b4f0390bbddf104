/** Strategic merge patches that were sent to a kube-apiserver 1.36.3, and what it answered. */
import { type JsonObject, stringifyJson } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { playScenario, readRecording } from '../apply/replay.fixture.ts';

const recording = readRecording(new URL('testdata/observed.json', import.meta.url));

/** Who owns what is another test's. */
function withoutOwners(outcome: unknown): unknown {
  const { object, ...rest } = outcome as { readonly object?: JsonObject };
  if (!object) return outcome;
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { object: { ...object, metadata }, ...rest };
}

describe('as a real server does it', () => {
  it.each(recording.scenarios)('$kind: $name', async (scenario) => {
    for (const [index, { step, recorded, ours }] of (await playScenario(recording, scenario)).entries()) {
      expect(withoutOwners(ours), `step ${index}: ${stringifyJson(step.body)}`).toEqual(recorded);
    }
  });
});
