import { describe, expect, it } from 'vitest';
import { type NodeIdClaim, refusedConnectors, sharedNodeIds } from './shared-node-ids.ts';

const claim = (connector: string, createdAt?: string, over: Partial<NodeIdClaim> = {}): NodeIdClaim => ({
  connector,
  project: connector.charAt(0),
  nodeIdKey: 'n1',
  createdAt,
  ...over,
});
const refused = (...claims: NodeIdClaim[]) => [...refusedConnectors(claims)];

describe('C15: a node id used by several connectors', () => {
  it.each([
    {
      name: 'the younger is refused',
      claims: [claim('b1', '2026-01-02T00:00:00Z'), claim('a1', '2026-01-01T00:00:00Z')],
      want: ['b1'],
    },
    {
      name: 'instants count, not texts',
      claims: [claim('a1', '2026-01-01T01:00:00Z'), claim('b1', '2026-01-01T02:00:00+02:00')],
      want: ['a1'],
    },
    {
      name: 'equal age: by key',
      claims: [claim('b1', '2026-01-01T00:00:00Z'), claim('a1', '2026-01-01T00:00:00Z')],
      want: ['b1'],
    },
    { name: 'no known age is youngest', claims: [claim('a1'), claim('b1', '2026-01-01T00:00:00Z')], want: ['a1'] },
    {
      name: 'one project may share with itself',
      claims: [claim('a1', '2026-01-01T00:00:00Z'), claim('a2', '2026-01-02T00:00:00Z')],
      want: [],
    },
    {
      name: 'the elder’s project keeps all of its connectors',
      claims: [
        claim('a1', '2026-01-01T00:00:00Z'),
        claim('b1', '2026-01-02T00:00:00Z'),
        claim('a2', '2026-01-03T00:00:00Z'),
      ],
      want: ['b1'],
    },
    {
      name: 'other node ids do not matter',
      claims: [claim('a1'), claim('b1', undefined, { nodeIdKey: 'n2' })],
      want: [],
    },
    { name: 'nobody', claims: [], want: [] },
  ])('$name', ({ claims, want }) => {
    expect(refused(...claims)).toEqual(want);
    expect(sharedNodeIds(claims).size).toBe(want.length > 0 ? 1 : 0);
  });

  it('lists who shares, eldest first', () => {
    const claims = [claim('b1', '2026-01-02T00:00:00Z'), claim('a1', '2026-01-01T00:00:00Z')];
    expect(
      sharedNodeIds(claims)
        .get('n1')
        ?.map(({ connector }) => connector),
    ).toEqual(['a1', 'b1']);
  });
});
