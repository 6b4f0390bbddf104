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

const unmanaged: readonly (readonly [what: string, value: JsonValue])[] = [
  ['an object', widget],
  ['an event', { type: 'MODIFIED', object: widget }],
  ['a list', { kind: 'WidgetList', metadata: {}, items: [widget, { metadata: { name: 'bare' } }, widget] }],
  ['an object with large numbers', { ...widget, spec: { size: 'N' } }],
];

const whole: readonly (readonly [what: string, text: string])[] = [
  ['no managed fields', JSON.stringify({ metadata: { name: 'w' } })],
  ['no object', '[1, "managedFields", null]'],
  ['managed fields of something else', JSON.stringify({ metadata: { name: 'w' }, spec: { template: widget } })],
  ['those of an object and of something else', JSON.stringify({ ...widget, spec: { template: widget } })],
  ['a list in them', '{"metadata":{"managedFields":[{"fieldsV1":[1,[2]]}]}}'],
  ['twice', '{"metadata":{"managedFields":[{"a":1}],"managedFields":[{"b":2}]}}'],
  ['another form', '{"metadata":{"managedFields" : [ {"a": "b"} ]}}'],
  ['none, and those of something else', '{"metadata":{"managedFields": []},"spec":{"managedFields":[{"a":1}]}}'],
  [
    'what stands for a list',
    '{"metadata":{"managedFields" :["<lifeline: managed fields>"]},"a":{"managedFields":[{}]}}',
  ],
  ['the text of another object', JSON.stringify({ metadata: { annotations: { last: JSON.stringify(widget) } } })],
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

  it.each([
    '{"metadata":{"managedFields":[{"a":1}]',
    '{"metadata":{"managedFields":[{"a":"',
    '{"metadata":{"managedFields":[]},}',
  ])('says what is wrong, and where in the whole text: %s', (text) => {
    expect(failure(() => readUnmanaged(text))).toEqual(failure(() => parseJson(text)));
    expect(failure(() => readUnmanaged(text))).toMatchObject({ code: 'invalid' });
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
      object.map((value) => JSON.stringify(value)),
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
  for (const each of [copy, copy.object, ...(copy.items ?? [])])
    if (each?.metadata) delete each.metadata['managedFields'];
  return copy;
}
