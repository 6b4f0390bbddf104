import { Service } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../../../create-api-server.ts';
import type { ApiServer } from '../../../server.ts';
import type { StoredObject } from '../../resource.ts';
import { specOf } from './spec.ts';

const newPlane = (): ApiServer => createApiServer({ clock: new VirtualClock(), random: seeded(1) });

const create = (plane: ApiServer, name: string, spec: object): Promise<Response> =>
  plane.fetch('https://plane.test/api/v1/namespaces/default/services', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }),
  });

it('no two Services have an address or a node port in common', async () => {
  using plane = newPlane();
  for (let index = 0; index < 300; index++) await create(plane, `s${index}`, { type: 'NodePort' });
  const specs = plane.objects(Service).map((service) => specOf(service as StoredObject));
  expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(300);
  const ports = specs.flatMap((spec) => spec.ports ?? []).map(({ nodePort }) => nodePort);
  expect(new Set(ports).size).toBe(300);
});

it('an address that was asked for by name is given once', async () => {
  using plane = newPlane();
  const wanted = { clusterIP: '10.96.0.9' };
  expect((await create(plane, 'a', wanted)).status).toBe(201);
  const refused = await create(plane, 'b', wanted);
  expect(await refused.json()).toMatchObject({
    code: 422,
    message:
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.9"]: failed to allocate IP 10.96.0.9: provided IP is already allocated',
  });
});

describe('IP families', () => {
  const families = async (plane: ApiServer, name: string, spec: object): Promise<unknown> => {
    const { spec: made } = (await (await create(plane, name, { clusterIP: 'None', ...spec })).json()) as {
      spec: object;
    };
    return made;
  };

  // As a real server on a cluster with IPv4 alone has it.
  it.each([
    { spec: {}, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    { spec: { ipFamilies: ['IPv4'] }, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    { spec: { ipFamilies: ['IPv6'] }, ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
    { spec: { ipFamilyPolicy: 'SingleStack' }, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    { spec: { selector: { a: 'b' } }, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    {
      spec: { selector: { a: 'b' }, ipFamilyPolicy: 'PreferDualStack' },
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'PreferDualStack',
    },
  ])('a headless Service with $spec', async ({ spec, ...expected }) => {
    using plane = newPlane();
    expect(await families(plane, 'a', spec)).toMatchObject(expected);
  });

  it('a headless Service without a selector is given none that the cluster lacks the families for', async () => {
    using plane = newPlane();
    await create(plane, 'a', { clusterIP: 'None' });
    const refused = await plane.fetch('https://plane.test/api/v1/namespaces/default/services/a', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { selector: { a: 'b' } } }),
    });
    expect(await refused.json()).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec.ipFamilyPolicy',
            message: 'Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
          },
          { field: 'spec.ipFamilies[1]', message: 'Invalid value: "IPv6": not configured on this cluster' },
        ],
      },
    });
  });
});
