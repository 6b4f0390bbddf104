import type { JsonObject } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { firstDifference } from './difference.ts';
import { generateOperations } from './generate.ts';
import { operationsOf } from './model-run.ts';
import { normalise, type Observation } from './normalise.ts';
import type { Operation } from './operation.ts';
import { decodeRun, encodeRun } from './recording.ts';

const seen = (body: JsonObject, status = 200): Observation => ({ what: 'w', status, warnings: undefined, body });
const object = (uid: string, resourceVersion: string, members: JsonObject = {}): JsonObject => ({
  kind: 'Widget',
  metadata: { name: 'a', uid, resourceVersion, ...members },
});

describe('generateOperations', () => {
  it('follows from its seed, and makes every sort of request', () => {
    expect(operationsOf('7', 50)).toEqual(operationsOf('7', 50));
    expect(operationsOf('7', 50)).not.toEqual(operationsOf('8', 50));
    const verbs = new Set(generateOperations(seeded('verbs'), 500).map(({ verb }) => verb));
    const all: Operation['verb'][] = [
      'create',
      'update',
      'patch',
      'apply',
      'delete',
      'get',
      'list',
      'deletecollection',
    ];
    expect(verbs).toEqual(new Set(all));
  });
});

describe('normalise', () => {
  const of = (...bodies: JsonObject[]) =>
    normalise(
      bodies.map((body) => seen(body)),
      new Map([['ns-1', 'NAMESPACE']]),
    ).map(({ body }) => body);

  it('makes runs on two servers alike', () => {
    const one = of(object('u-1', '17'), object('u-2', '9'), object('u-1', '20'));
    const other = of(object('x', '1017'), object('y', '1009'), object('x', '1020'));
    expect(one).toEqual(other);
    expect(one[2]).toEqual(object('uid-1', 'rv-3'));
  });

  it('keeps the order of writes apart, and one write from two', () => {
    expect(of(object('u', '1'), object('u', '2'))).not.toEqual(of(object('u', '2'), object('u', '1')));
    expect(of(object('u', '1'), object('u', '1'))).not.toEqual(of(object('u', '1'), object('u', '2')));
  });

  it('takes no offence at when and where', () => {
    const status = (time: string, order: boolean): JsonObject => {
      const causes = [{ field: 'x', message: `at ${time}` }, { field: 'y' }];
      return {
        kind: 'Status',
        message: `bad ns-1: [${String(order)}]`,
        details: { causes: order ? causes : causes.reverse() },
      };
    };
    expect(of(status('2026-01-02T03:04:05Z', true))).toEqual(of(status('2026-01-02T03:04:06Z', false)));
    const managed = (...managers: string[]): JsonObject =>
      object('u', '1', {
        managedFields: managers.map((manager) => ({
          manager,
          operation: 'Update',
          apiVersion: 'v1',
          time: 't',
          fieldsV1: {},
        })),
      });
    expect(of(managed('a', 'b'))).toEqual(of(managed('b', 'a')));
    expect(of(managed('a', 'b'))).not.toEqual(of(managed('a')));
  });

  it('lists have the resourceVersion of whoever wrote last', () => {
    const list = (resourceVersion: string): JsonObject => ({
      metadata: { resourceVersion },
      items: [object('u', '5')],
    });
    expect(of(list('6'))).toEqual(of(list('5')));
  });
});

describe('recordings', () => {
  it('give back what they were made of', () => {
    const run: Observation[] = [
      seen(object('u', '1', { labels: { a: '1' } }), 201),
      { ...seen(object('u', '1', { labels: { b: '2' } })), warnings: 'careful' },
      seen(object('u', '1', { labels: { b: null } })),
      { ...seen(object('u', '1')), what: 'event of widgets: ADDED' },
    ];
    const operations = ['x', 'y', 'z'].map((name): Operation => ({ verb: 'get', resource: 'widgets', name }));
    const given = decodeRun(JSON.parse(JSON.stringify(encodeRun(run))) as ReturnType<typeof encodeRun>, operations);
    expect(given.map(({ what: _, ...rest }) => rest)).toEqual(run.map(({ what: _, ...rest }) => rest));
    expect(given[3]?.what).toBe('event of widgets: ADDED');
  });
});

describe('firstDifference', () => {
  it('is none for equal runs, and names what differs', () => {
    const run = [seen(object('u', '1')), seen(object('u', '2'))];
    expect(firstDifference(run, run)).toBeUndefined();
    expect(firstDifference(run, [seen(object('u', '1')), seen(object('u', '3'))])).toContain(
      'metadata.resourceVersion: expected "2", got "3"',
    );
    expect(firstDifference(run, [seen(object('u', '1')), seen({ ...object('u', '2'), more: 1 })])).toContain('more');
    expect(firstDifference(run, run.slice(0, 1))).toContain('says nothing here');
    expect(firstDifference(run, [run[0] as Observation, seen(object('u', '2'), 409)])).toContain('real 200, ours 409');
  });
});
