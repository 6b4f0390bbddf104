import { type ObjectKey, objectKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, createMetrics, type Metrics } from '@lifeline/k8s';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TakenPlace, TakenPlaces } from './taken-places.ts';

function placesIn(): { places: TakenPlaces; metrics: Metrics; said: () => readonly string[] } {
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = createLog({ clock: new VirtualClock(), level: 'info', write: (line) => lines.push(line) });
  const said = (): readonly string[] =>
    lines.map((line) => {
      const { level, cluster, name } = JSON.parse(line) as Readonly<Record<string, string>>;
      return `${level} ${cluster} ${name}`;
    });
  return { places: new TakenPlaces({ log, metrics }), metrics, said };
}

const series = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('lifeline_places_taken{'))
    .map((line) => line.slice('lifeline_places_taken'.length));

const seeker = (name: string, cluster = 'p1', id = 'g/Kind'): { cluster: string; id: string; key: ObjectKey } => ({
  cluster,
  id,
  key: objectKey({ namespace: 'default', name }),
});
const namespace: TakenPlace = { kind: 'Namespace', name: 'ns-1', reason: 'PlaceTaken' };
const copy: TakenPlace = { kind: 'Kind', namespace: 'ns-1', name: 'a', reason: 'PlaceTaken' };

describe('TakenPlaces', () => {
  it('counts a place once, however many are refused it and however often, and says so once', async () => {
    const { places, metrics, said } = placesIn();
    for (const name of ['a', 'b', 'a', 'b']) places.found(seeker(name), namespace);
    places.found(seeker('c'), copy);
    expect(await series(metrics)).toEqual(['{cluster="p1",kind="Namespace"} 1', '{cluster="p1",kind="Kind"} 1']);
    expect(said()).toEqual(['warn p1 ns-1', 'warn p1 a']);
    places.found(seeker('a'), undefined);
    expect(said()).toHaveLength(2);
    places.found(seeker('b'), undefined);
    expect(said().slice(2)).toEqual(['info p1 ns-1']);
    expect(await series(metrics)).toEqual(['{cluster="p1",kind="Kind"} 1']);
  });

  it('another reason, or another place, is said anew', () => {
    const { places, said } = placesIn();
    places.found(seeker('a'), namespace);
    places.found(seeker('a'), { ...namespace, reason: 'OtherInstallation' });
    places.found(seeker('a'), copy);
    expect(said()).toEqual(['warn p1 ns-1', 'warn p1 ns-1', 'info p1 ns-1', 'warn p1 a', 'info p1 ns-1']);
  });

  it('knows who was refused a Namespace, by kind', () => {
    const { places } = placesIn();
    places.found(seeker('a'), namespace);
    places.found(seeker('a', 'p2'), namespace);
    places.found(seeker('b', 'p1', 'g/Other'), namespace);
    places.found(seeker('c'), copy);
    expect(places.seekersOf('ns-1', 'g/Kind').map(({ cluster, key }) => `${cluster} ${key}`)).toEqual([
      'p1 default/a',
      'p2 default/a',
    ]);
  });

  it('nothing is left of a cluster that went, nor of objects that have their places', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            name: fc.constantFrom('a', 'b', 'c'),
            cluster: fc.constantFrom('p1', 'p2'),
            place: fc.constantFrom(namespace, copy, undefined),
          }),
          { maxLength: 20 },
        ),
        async (looks) => {
          const { places, metrics, said } = placesIn();
          for (const { name, cluster, place } of looks) places.found(seeker(name, cluster), place);
          places.drop('p1');
          expect((await series(metrics)).filter((line) => line.includes('p1'))).toEqual([]);
          for (const name of ['a', 'b', 'c']) places.found(seeker(name, 'p2'), undefined);
          expect(await series(metrics)).toEqual([]);
          const ofP2 = said().filter((line) => line.includes(' p2 '));
          expect(ofP2.filter((line) => line.startsWith('info'))).toHaveLength(ofP2.length / 2);
        },
      ),
      { seed: 5, numRuns: 50 },
    );
  });
});
