/**
 * Real requests, mutated: there is never a crash and never a hang. What cannot be read is refused as such; everything else gets an answer
 * that breaks no rule which the request did not break already.
 */
import { seeded } from '@lifeline/core';
import { seeds, seedsLimitMs, VirtualClock } from '@lifeline/core/testing';
import { recording, recordings } from '@lifeline/envoy-api/testing';
import { expect, it } from 'vitest';
import { expectSafe, expectWhole } from './answer-rules.fixture.ts';
import { createEditor } from './create-editor.ts';
import { indexOf, mergedProxies, recordedProxies, requestJson } from './edit.fixture.ts';
import { type Answer, type Editor, InvalidRequest } from './editor.ts';
import { mutated } from './mutations.fixture.ts';
import { defaultEditorSettings } from './settings.ts';

/** With the 200 seeds of a round of the soak: 100,000. */
const mutationsPerSeed = 500;
/** Reading a whole answer takes much longer than giving it. */
const readEvery = 4;

const requests = recordings.map((name) => recording(name)).filter(({ length }) => length < 40_000);
const proxies = { ...recordedProxies, ...mergedProxies(requestJson('merged-20')) };
const index = indexOf({ proxies, online: ['laptop-7', 'site-a', 'edge-003', 'edge-004'] });

/** Undefined: it cannot be read. */
function answerOf(editor: Editor, request: Uint8Array): Answer | undefined {
  try {
    return editor.open(request).answer();
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined;
    throw error;
  }
}

it.each(seeds(6, 100))(
  `seed %d: ${mutationsPerSeed} requests`,
  (seed) => {
    const random = seeded(`fuzz/${seed}`);
    const editor = createEditor({ index, settings: defaultEditorSettings, clock: new VirtualClock() });
    let read = 0;
    for (let i = 0; i < mutationsPerSeed; i++) {
      const request = mutated(requests[random.int(requests.length)] as Uint8Array, random);
      const at = `seed ${seed}, mutation ${i}: ${Buffer.from(request).toString('base64')}`;
      try {
        const held = request.slice();
        const answer = answerOf(editor, request);
        if (!answer) continue;
        read++;
        const bytes = Buffer.from(answer.bytes);
        if (read % readEvery === 0) {
          expectWhole(request, answer);
          expectSafe(request, answer);
        }
        // Nobody touches the request, and asking again changes nothing.
        expect(Buffer.compare(request, held)).toBe(0);
        expect(Buffer.compare(answerOf(editor, request)?.bytes ?? new Uint8Array(), bytes)).toBe(0);
      } catch (error) {
        throw new Error(at, { cause: error });
      }
    }
    // Neither is all refused nor is all read.
    expect(read).toBeGreaterThan(mutationsPerSeed / 10);
    expect(read).toBeLessThan(mutationsPerSeed);
  },
  seedsLimitMs(30_000),
);
