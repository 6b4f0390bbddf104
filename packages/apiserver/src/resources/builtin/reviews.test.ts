import { seeded, VirtualClock } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { createApiServer } from '../../create-api-server.ts';
import { send } from '../../send.fixture.ts';

it('whoever asks who they are is told', async () => {
  const tokens = [{ token: 'secret', user: 'jane', uid: '7', groups: ['team'] }];
  using plane = createApiServer({ clock: new VirtualClock(), random: seeded(1), tokens });
  const { status, body } = await send(plane.transport, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    headers: { authorization: 'Bearer secret' },
    body: {},
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'SelfSubjectReview',
    status: { userInfo: { username: 'jane', uid: '7', groups: expect.arrayContaining(['team']) as unknown } },
  });
});
