import { describe, expect, it } from 'vitest';
import { jsonPath } from './json-path.ts';

const object = {
  spec: { replicas: 3, 'a.b': 'dotted', list: [{ name: 'x' }, { name: 'y' }], matrix: [[1], [2]] },
  metadata: { annotations: { 'example.com/a': 'slash' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', observedGeneration: 2 },
      { type: 'Accepted', status: 'False' },
    ],
  },
};

describe('jsonPath', () => {
  it.each([
    ['.spec.replicas', [3]],
    ['spec.replicas', [3]],
    ['.', [object]],
    ['.spec.nothing.below', []],
    ['.spec.replicas.below', []],
    [String.raw`.spec.a\.b`, ['dotted']],
    [`.spec['a.b']`, ['dotted']],
    ['.spec["a.b"]', ['dotted']],
    [String.raw`.metadata.annotations.example\.com/a`, ['slash']],
    ['.spec.list[0].name', ['x']],
    ['.spec.list[-1].name', ['y']],
    ['.spec.list[2].name', []],
    ['.spec.list[*].name', ['x', 'y']],
    ['.spec.matrix[*][0]', [1, 2]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [`.status.conditions[?(@.type=='Accepted')].status`, ['False']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Accepted']],
    ['.status.conditions[?(@.observedGeneration==2)].type', ['Ready']],
    ['.status.conditions[?(@.type=="Other")].status', []],
    ['.constructor', []],
  ])('%s', (path, expected) => {
    expect(jsonPath(path)?.(object)).toEqual(expected);
  });

  it.each(['.a[', '.a[?(@.b=~"c")]', '..a', '.a.'])('refuses %s', (path) => {
    expect(jsonPath(path)).toBeUndefined();
  });
});
