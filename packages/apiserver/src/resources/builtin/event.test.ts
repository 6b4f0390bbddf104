import { KubeEvent } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { createApiServer } from '../../create-api-server.ts';

it('an Event of core/v1 is found as one of events.k8s.io', async () => {
  using plane = createApiServer({ clock: new VirtualClock(), random: seeded(1) });
  const body = { metadata: { name: 'a' }, involvedObject: { name: 'x', namespace: 'default' }, message: 'hello' };
  const response = await plane.fetch('https://plane.test/api/v1/namespaces/default/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  const found = {
    apiVersion: 'events.k8s.io/v1',
    note: 'hello',
    regarding: { name: 'x', namespace: 'default' },
    deprecatedSource: {},
  };
  expect(plane.get(KubeEvent, { namespace: 'default', name: 'a' })).toMatchObject(found);
  expect(plane.objects(KubeEvent)).toMatchObject([found]);
});
