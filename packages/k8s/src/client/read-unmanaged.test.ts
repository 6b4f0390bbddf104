import { type JsonError, type JsonValue, parseJson } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUnmanaged } from './read-unmanaged.ts';

const managed = [
  {
    manager: 'kubectl',
    operation: 'Update',
    fieldsV1: { 'f:status': { 'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:message': {} } } } },
  },
];
const widget = { kind: 'Widget', metadata: { managedFields: managed, name: 'w', uid: 'u' }, spec: { size: 3 } };

/** What is to come of a text in which only the managed fields of objects are called so. */
const emptied = (text: string): JsonValue => parseJson(text.replaceAll(JSON.stringify(managed), '[]'));

const event = (object: JsonValue): JsonValue => ({ type: 'MODIFIED', object });

const unmanaged: readonly (readonly [what: string, value: JsonValue])[] = [
  ['an event', event(widget)],
  ['a list', { kind: 'WidgetList', metadata: {}, items: [widget, { metadata: { name: 'bare' } }, widget] }],
  ['an object with large numbers', event({ ...widget, spec: { size: 'N' } })],
];

const of = (object: string): string => `{"type":"MODIFIED","object":${object}}`;
const whole: readonly (readonly [what: string, text: string])[] = [
  ['no managed fields', JSON.stringify(event({ metadata: { name: 'w' } }))],
  ['no object', '[1, "managedFields", null]'],
  ['an object that is in no event', JSON.stringify(widget)],
  ['managed fields of something else', JSON.stringify(event({ metadata: { name: 'w' }, spec: { template: widget } }))],
  ['those of an object and of something else', JSON.stringify(event({ ...widget, spec: { template: widget } }))],
  ['a list in them', of('{"metadata":{"managedFields":[{"fieldsV1":[1,[2]]}]}}')],
  ['twice', of('{"metadata":{"managedFields":[{"a":1}],"managedFields":[{"b":2}]}}')],
  ['another form', of('{"metadata":{"managedFields" : [ {"a": "b"} ]}}')],
  ['none, and those of something else', of('{"metadata":{"managedFields": []},"spec":{"managedFields":[{"a":1}]}}')],
  [
    'what stands for a list',
    of('{"metadata":{"managedFields" :["lifeline-passed-over-managed-fields"]},"a":{"managedFields":[{}]}}'),
  ],
  [
    'the text of another object',
    JSON.stringify(event({ metadata: { annotations: { last: JSON.stringify(widget) } } })),
  ],
];

const broken = [
  '{"metadata":{"managedFields":[{"a":1}]',
  '{"metadata":{"managedFields":[{"a":"',
  '{"metadata":{"managedFields":[{"a":"\\',
  '{"metadata":{"managedFields":[]},}',
  '{"metadata":{"managedFields":[}{]}}',
  '{"metadata":{"managedFields":[{"a":1},"uid":"9"},"spec":{"x":1]}}',
];

describe('readUnmanaged', () => {
  it.each(unmanaged)('leaves out those of %s', (_, value) => {
    const text = JSON.stringify(value).replace('"N"', '9007199254740993');
    expect(readUnmanaged(text)).toEqual(emptied(text));
    expect(JSON.stringify(readUnmanaged(text))).not.toContain('kubectl');
  });

  it.each(whole)('reads all of it: %s', (_, text) => {
    expect(readUnmanaged(text)).toEqual(parseJson(text));
  });

  it.each(broken.map(of))('says what is wrong, and where in the whole text: %s', (text) => {
    expect(failure(() => readUnmanaged(text))).toEqual(failure(() => parseJson(text)));
    expect(failure(() => readUnmanaged(text))).toMatchObject({ code: 'invalid' });
  });

  it.each([
    ['managed fields', `[${'{"f:\\\\a":{}},'.repeat(700_000)}{}]`],
    ['one string', `[{"a":"${'\\\\'.repeat(5_000_000)}"}]`],
    ['lists', Array.from({ length: 100_000 }, () => '[]').join(',"managedFields":')],
  ])('reads ten megabytes: %s', (_, list) => {
    const text = of(`{"metadata":{"managedFields":${list}}}`);
    expect(without(readUnmanaged(text))).toEqual(without(parseJson(text)));
  });

  it('does not take long over what never ends', () => {
    const text = `{"metadata":{"managedFields":[${'{"f:\\"a\\"":{}},'.repeat(20_000)}`;
    expect(failure(() => readUnmanaged(text))).toMatchObject({ code: 'invalid' });
  });

  it('changes nothing but managed fields, whatever they hold', () => {
    const name = fc.string({ unit: 'grapheme' });
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constant({}),
        name,
        fc.dictionary(fc.oneof(name, fc.constant('managedFields')), tie('tree'), { maxKeys: 4 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    const object = fc.record(
      {
        metadata: fc.record({ managedFields: fc.array(tree, { maxLength: 3 }), name }, { requiredKeys: [] }),
        spec: tree,
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      object.map((value) => JSON.stringify({ type: 'ADDED', object: value })),
      fc.array(object, { maxLength: 3 }).map((items) => JSON.stringify({ items })),
    );
    let trimmed = 0;
    fc.assert(
      fc.property(text, (json) => {
        const [given, read] = [parseJson(json), readUnmanaged(json)];
        if (JSON.stringify(given) !== JSON.stringify(read)) trimmed++;
        expect(without(read)).toEqual(without(given));
      }),
      { seed: 331, numRuns: 2000 },
    );
    expect(trimmed).toBeGreaterThan(200);
  });
});

function failure(read: () => unknown): Pick<JsonError, 'code' | 'message'> | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const { code, message } = error as JsonError;
    return { code, message };
  }
}

type Loose = { metadata?: Record<string, unknown>; object?: Loose; items?: Loose[] };

/** With the managed fields of its objects gone. */
function without(value: JsonValue): unknown {
  const copy = structuredClone(value) as Loose;
  for (const each of [copy.object, ...(copy.items ?? [])]) if (each?.metadata) delete each.metadata['managedFields'];
  return copy;
}
