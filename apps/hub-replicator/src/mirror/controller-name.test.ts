import { allKinds, HTTPProxy, unknownKind } from '@lifeline/core';
import { expect, it } from 'vitest';
import { mirrorName } from './controller-name.ts';

const other = (group: string, plural: string): string =>
  mirrorName(unknownKind({ group, version: 'v1', kind: 'Gateway', plural }));

it('is that of the resource, and of its group where Lifeline does not know the kind', () => {
  expect(mirrorName(HTTPProxy)).toBe('mirror-httpproxies');
  expect(other('mesh.example', 'gateways')).toBe('mirror-gateways-mesh-example');
});

it('tells all kinds apart, and is the name of a controller', () => {
  const names = [
    ...allKinds.filter(({ scope }) => scope === 'Namespaced').map(mirrorName),
    other('mesh.example', 'gateways'),
    other('mesh-example', 'gateways'),
    other('mesh.example', 'gate-ways'),
    other('ways.mesh.example', 'gate'),
    other('', 'gate-ways'),
  ];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
});
