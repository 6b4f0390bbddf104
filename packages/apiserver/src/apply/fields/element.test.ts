import { JsonNumber } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareElements, describeElement, fieldElement, keyElement, parseElement, valueElement } from './element.ts';

describe('elements', () => {
  it.each([
    { element: fieldElement('name'), text: 'f:name', shown: '.name' },
    { element: fieldElement(''), text: 'f:', shown: '.' },
    { element: fieldElement('a.b/c"d'), text: 'f:a.b/c"d', shown: '.a.b/c"d' },
    { element: fieldElement('__proto__'), text: 'f:__proto__', shown: '.__proto__' },
    { element: valueElement('x'), text: 'v:"x"', shown: '[="x"]' },
    {
      element: valueElement('a"b<c>&'),
      text: String.raw`v:"a\"b\u003cc\u003e\u0026"`,
      shown: String.raw`[="a\"b<c>&"]`,
    },
    { element: valueElement('é'), text: 'v:"é"', shown: '[="é"]' },
    { element: valueElement(1), text: 'v:1', shown: '[=1]' },
    { element: valueElement(1.5), text: 'v:1.5', shown: '[=1.5]' },
    { element: valueElement(new JsonNumber('1.0')), text: 'v:1', shown: '[=1]' },
    {
      element: valueElement(new JsonNumber('9007199254740993')),
      text: 'v:9007199254740993',
      shown: '[=9007199254740993]',
    },
    { element: valueElement(true), text: 'v:true', shown: '[=true]' },
    { element: keyElement([['type', 'Ready']]), text: 'k:{"type":"Ready"}', shown: '[type="Ready"]' },
    {
      element: keyElement([
        ['protocol', 'TCP'],
        ['port', 80],
      ]),
      text: 'k:{"port":80,"protocol":"TCP"}',
      shown: '[port=80,protocol="TCP"]',
    },
    { element: keyElement([['a', null]]), text: 'k:{"a":null}', shown: '[a=null]' },
    { element: keyElement([['a', [1, 'x']]]), text: 'k:{"a":[1,"x"]}', shown: '[a=[1,"x"]]' },
    { element: 'i:7', text: 'i:7', shown: '[7]' },
  ])('$text is shown as $shown', ({ element, text, shown }) => {
    expect(element).toBe(text);
    expect(describeElement(element)).toBe(shown);
    expect(parseElement(element)).toBe(element);
  });

  it.each([
    ['k:{"b":1,"a":"x"}', 'k:{"a":"x","b":1}'],
    ['k: { "a" : 1.0 }', 'k:{"a":1}'],
    ['v: "x" ', 'v:"x"'],
    ['v:1e1', 'v:10'],
    ['i:+07', 'i:7'],
    ['q:what', undefined],
    ['e:', undefined],
  ])('%s is read as %s', (text, want) => {
    expect(parseElement(text)).toBe(want);
  });

  it.each(['', 'f', '.', 'name', 'v:', 'v:x', 'k:', 'k:[]', 'k:{', 'k:1', 'i:', 'i:x', 'i:1.5'])(
    '%j is none',
    (text) => {
      expect(() => parseElement(text)).toThrow();
    },
  );

  it('fields come before keys before values before indexes, and numbers go by value', () => {
    const inOrder = [
      'f:A',
      'f:a',
      'f:b',
      'k:{"a":1}',
      'k:{"a":1,"b":1}',
      'k:{"a":2}',
      'k:{"a":10}',
      'k:{"a":"1"}',
      'k:{"a":"B"}',
      'k:{"a":"a"}',
      'k:{"a":"a b"}',
      'k:{"a":"ab"}',
      'k:{"aa":"0"}',
      'k:{"b":1}',
      'v:2',
      'v:10',
      'v:"10"',
      'v:"2"',
      'v:"2 "',
      'v:"22"',
      'v:false',
      'v:true',
      'i:2',
      'i:10',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder), (some) => {
        expect([...some].sort(compareElements)).toEqual(inOrder.filter((element) => some.includes(element)));
      }),
      { seed: 404, numRuns: 200 },
    );
  });
});
