import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { note, widget, zone } from '../plane.fixture.ts';
import type { ResourceVersion, StoredObject } from '../resources/resource.ts';
import { matchesFields, onlyNameIn, parseFieldSelector } from './field-selector.ts';

const spoken = (resource: typeof widget) => ({ resource, version: resource.versions[0] as ResourceVersion });
const red = { metadata: { name: 'a', namespace: 'n' }, spec: { color: 'red' } } as unknown as StoredObject;

const matches = (text: string, object: StoredObject): boolean =>
  matchesFields(parseFieldSelector(text, spoken(widget)), object, spoken(widget).version);

describe('parseFieldSelector', () => {
  it.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name==b', false],
    ['metadata.name!=b,metadata.namespace=n', true],
    ['spec.color=red', true],
    ['spec.color!=red', false],
    [',spec.color=red,', true],
  ])('%j: %s', (text, expected) => {
    expect(matches(text, red)).toBe(expected);
  });

  it('takes a field that is absent for an empty one', () => {
    const plain = { metadata: { name: 'a' } } as unknown as StoredObject;
    expect(matches('spec.color=', plain)).toBe(true);
    expect(matches('spec.color!=red', plain)).toBe(true);
  });

  it('compares what the version says where it says something', () => {
    const [version] = widget.versions as [ResourceVersion];
    const shouting = {
      ...version,
      fieldText: (_: StoredObject, path: string) => (path === '.spec.color' ? 'RED' : undefined),
    };
    const selector = parseFieldSelector('spec.color=RED,metadata.name=a', { resource: widget, version: shouting });
    expect(matchesFields(selector, red, shouting)).toBe(true);
    expect(matchesFields(selector, red, version)).toBe(false);
  });

  it('reads escapes', () => {
    const odd = { metadata: { name: 'a' }, spec: { color: String.raw`r,e=d\x` } } as unknown as StoredObject;
    expect(matches(String.raw`spec.color=r\,e\=d\\x`, odd)).toBe(true);
  });

  it.each([
    ['spec.x=1', note, `"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"`],
    ['spec.x=1', zone, 'field label not supported: spec.x'],
    ['spec.colors=1', widget, 'field label not supported: spec.colors'],
    ['metadata.name', widget, `invalid selector: 'metadata.name'; can't understand 'metadata.name'`],
    ['spec.color=b=c', widget, 'invalid field selector: unescaped character in value: 61'],
    [String.raw`spec.color=\b`, widget, String.raw`invalid field selector: invalid escape sequence: \b`],
    ['spec.color=b\\', widget, 'invalid field selector: invalid escape sequence: \\'],
  ])('%s', (text, resource, message) => {
    expect(() => parseFieldSelector(text, spoken(resource))).toThrow(ApiError);
    expect(() => parseFieldSelector(text, spoken(resource))).toThrow(`400: ${message}`);
  });
});

describe('onlyNameIn', () => {
  it.each([
    ['metadata.name=a', 'a'],
    ['metadata.namespace=n,metadata.name==a', 'a'],
    ['metadata.name!=a', undefined],
    ['x.metadata.name=a', undefined],
    [null, undefined],
  ])('%j: %j', (text, name) => {
    expect(onlyNameIn(text)).toBe(name);
  });
});
