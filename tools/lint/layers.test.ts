import { describe, expect, it } from 'vitest';
import { boundaryFaults, type ProjectGraph } from './layers.ts';

const lint = { lint: {} };

/** A graph of projects `a` and `b` and what `a` depends on. */
const graph = (a: ProjectGraph['nodes'][string]['data'], target = 'b'): ProjectGraph => ({
  nodes: { a: { data: a }, b: { data: { tags: ['npm:private', 'layer:k8s'], targets: lint } } },
  dependencies: { a: [{ target }] },
});

describe('boundaryFaults', () => {
  it.each([
    { name: 'what the table allows', data: { tags: ['layer:app'], targets: lint }, want: [] },
    { name: 'e2e depends on anything', data: { tags: ['layer:e2e'], targets: lint }, want: [] },
    {
      name: 'what it forbids',
      data: { tags: ['layer:core'], targets: lint },
      want: ['a (layer core) depends on b (layer k8s)'],
    },
    { name: 'no layer', data: { tags: ['npm:private'], targets: lint }, want: ['a needs exactly one tag layer:…'] },
    {
      name: 'a layer there is not',
      data: { tags: ['layer:lib'], targets: lint },
      want: ['a needs exactly one tag layer:…'],
    },
    {
      name: 'two layers',
      data: { tags: ['layer:app', 'layer:e2e'], targets: lint },
      want: ['a needs exactly one tag layer:…'],
    },
    { name: 'no lint target', data: { tags: ['layer:app'], targets: { build: {} } }, want: ['a has no lint target'] },
    { name: 'no targets', data: { tags: ['layer:app'] }, want: ['a has no lint target'] },
  ])('$name', ({ data, want }) => {
    expect(boundaryFaults(graph(data))).toEqual(want.map((text) => expect.stringContaining(text)));
  });

  it('packages of others are not judged', () => {
    expect(boundaryFaults(graph({ tags: ['layer:core'], targets: lint }, 'npm:zod'))).toEqual([]);
  });
});
