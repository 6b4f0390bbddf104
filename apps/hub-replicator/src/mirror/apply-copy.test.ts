import { fieldManagers, HTTPProxy, isJsonObject, type JsonObject, type KubeObject, labels } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { KubeError, type Write } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { anchorReference } from './anchor.ts';
import { Answers } from './answers.ts';
import { applyCopy, fitOfCopy, isRight } from './apply-copy.ts';
import type { WantedCopy } from './covers.ts';
import { anchorOf, copyOf, mapped, policyOf, rulesOf } from './mirror.fixture.ts';
import { ownedKeys } from './owned.ts';
import type { Scene } from './scene.ts';

const policy = policyOf(HTTPProxy);
const place = { namespace: mapped, name: 'web' };
const base = copyOf();
const wanted: WantedCopy = {
  labels: base.metadata.labels ?? {},
  annotations: base.metadata.annotations ?? {},
  body: { spec: { a: 1 } },
  owner: anchorReference(anchorOf()),
};
const specFields = (...names: readonly string[]): JsonObject => ({
  'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])),
});
const entry = (manager: string, operation: string, fieldsV1: JsonObject): Record<string, unknown> => ({
  manager,
  operation,
  fieldsV1,
});
const applied = (...names: readonly string[]): Record<string, unknown> =>
  entry(fieldManagers.hubReplicator, 'Apply', specFields(...names));

/** A copy whose spec is this, with these managed fields. */
const withSpec = (spec: JsonObject, managedFields: Record<string, unknown>[] = [], metadata: object = {}): KubeObject =>
  ({ ...base, spec, metadata: { ...base.metadata, ...metadata, managedFields } }) as KubeObject;

/** A hub that answers each apply in turn; the last answer again and again. */
function hubOf(
  live: KubeObject | undefined,
  ...answers: readonly (KubeObject | KubeError)[]
): { scene: Scene; done: readonly string[]; clock: VirtualClock } {
  const done: string[] = [];
  const clock = new VirtualClock();
  let turn = 0;
  const scene = {
    rules: rulesOf(policy),
    owned: ownedKeys(policy),
    memory: { answers: new Answers() },
    clock,
    signal: new AbortController().signal,
    hub: { live: { find: () => (done.push('read'), Promise.resolve(live)) } },
    write: (write: Write) => {
      done.push(write.verb === 'patch' ? 'take over' : write.verb);
      if (write.verb === 'patch') return Promise.resolve(live);
      const answer = answers[Math.min(turn++, answers.length - 1)];
      return answer instanceof KubeError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as Scene;
  return { scene, done, clock };
}

describe('applyCopy', () => {
  it('a new copy takes one write', async () => {
    const made = withSpec({ a: 1 }, [applied('a')]);
    const { scene, done } = hubOf(undefined, made);
    expect(await applyCopy(scene, { wanted, place, current: undefined })).toEqual({ copy: made, leftOut: [] });
    expect(done).toEqual(['apply']);
  });

  it('W13c: what the hub itself adds or writes its own way is right from then on', async () => {
    const made = withSpec({ a: '1', mode: 'default' }, [applied('a')]);
    const { scene, done } = hubOf(undefined, made);
    await applyCopy(scene, { wanted, place, current: undefined });
    expect(done).toEqual(['apply']);
    expect(isRight(fitOfCopy(scene, wanted, made))).toBe(true);
    expect(isRight(fitOfCopy(scene, wanted, withSpec({ a: '1', mode: 'edited' })))).toBe(false);
    expect(isRight(fitOfCopy(scene, { ...wanted, body: { spec: { a: 2 } } }, made))).toBe(false);
  });

  it('after a restart, a default of the hub costs a read and no write', async () => {
    const current = withSpec({ a: 1, mode: 'default' }, [applied('a')]);
    const { scene, done } = hubOf(current);
    expect(isRight(fitOfCopy(scene, wanted, current))).toBe(false);
    expect((await applyCopy(scene, { wanted, place, current })).copy).toBe(current);
    expect(done).toEqual(['read']);
    expect(isRight(fitOfCopy(scene, wanted, current))).toBe(true);
  });

  it('what somebody owns below our fields is taken over first, and then goes', async () => {
    const current = withSpec({ a: 1, theirs: true }, [applied('a'), entry('kubectl', 'Update', specFields('theirs'))]);
    const { scene, done } = hubOf(current, withSpec({ a: 1 }, [applied('a')]));
    await applyCopy(scene, { wanted, place, current });
    expect(done).toEqual(['read', 'take over', 'apply']);
  });

  it('what we applied before and want no more goes with the next apply', async () => {
    const current = withSpec({ a: 1, old: true }, [applied('a', 'old')]);
    const { scene, done } = hubOf(current, withSpec({ a: 1 }, [applied('a')]));
    await applyCopy(scene, { wanted, place, current });
    expect(done).toEqual(['read', 'apply']);
  });

  it('a copy that is adopted is taken over before it is written', async () => {
    const { [labels.installation]: _none, ...five } = base.metadata.labels ?? {};
    const managed = [entry('manager', 'Update', specFields('a', 'old'))];
    const current = withSpec({ a: 0, old: true }, managed, { labels: five });
    const { scene, done } = hubOf(current, withSpec({ a: 1 }, [applied('a')]));
    await applyCopy(scene, { wanted, place, current });
    expect(done).toEqual(['read', 'take over', 'apply']);
  });

  it('what an apply leaves because another owns it too is taken over afterwards, once', async () => {
    const current = withSpec({ a: 0, theirs: true });
    const left = withSpec({ a: 1, theirs: true }, [applied('a'), entry('kubectl', 'Update', specFields('theirs'))]);
    const { scene, done } = hubOf(current, left, withSpec({ a: 1 }, [applied('a')]));
    const { copy } = await applyCopy(scene, { wanted, place, current });
    expect(done).toEqual(['apply', 'take over', 'apply']);
    expect(
      isJsonObject((copy as KubeObject & { spec?: unknown }).spec) && isRight(fitOfCopy(scene, wanted, copy)),
    ).toBe(true);
  });

  it('what the hub does not know is left out, field by field, and tried again ten minutes later', async () => {
    const unknown = (...fields: readonly string[]): KubeError =>
      new KubeError('invalid', 'no', { causes: fields.map((field) => `${field}: field not declared in schema`) });
    const newer = { ...wanted, body: { spec: { a: 1, b: { c: 1, d: 2 }, e: [{ f: 1 }] } } };
    const made = withSpec({ a: 1, b: { d: 2 }, e: [{}] }, [applied('a', 'b', 'e')]);
    const { scene, done } = hubOf(undefined, unknown('spec.b.c', 'spec.e[0].f'), unknown('spec.x'), made);
    await expect(applyCopy(scene, { wanted: newer, place, current: undefined })).rejects.toThrow(KubeError);
    const next = hubOf(undefined, unknown('spec.b.c'), unknown('spec.e[0].f'), made);
    const { copy, leftOut } = await applyCopy(next.scene, { wanted: newer, place, current: undefined });
    expect([copy, leftOut]).toEqual([made, ['spec.b.c', 'spec.e[0].f']]);
    expect([done, next.done]).toEqual([
      ['apply', 'apply'],
      ['apply', 'apply', 'apply'],
    ]);
    expect(isRight(fitOfCopy(next.scene, newer, made))).toBe(true);
    await next.clock.advance(600_000);
    expect(isRight(fitOfCopy(next.scene, newer, made))).toBe(false);
  });

  it('is meant for the copy that was judged, and for no other that has taken its place', async () => {
    const uids: unknown[] = [];
    const { scene } = hubOf(undefined, withSpec({ a: 1 }, [applied('a')]));
    const write = (sent: Write): unknown => {
      if (sent.verb === 'apply') uids.push(sent.object.metadata['uid']);
      return scene.write(sent);
    };
    for (const current of [undefined, withSpec({ a: 0 })]) {
      await applyCopy({ ...scene, write } as Scene, { wanted, place, current });
    }
    expect(uids).toEqual([undefined, 'copy-uid']);
  });
});
