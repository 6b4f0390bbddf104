import { parseJson, readAll } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { expect, it } from 'vitest';
import { createApiServer } from '../../create-api-server.ts';

it('whoever asks who they are is told', async () => {
  const tokens = [{ token: 'secret', user: 'jane', uid: '7', groups: ['team'] }];
  using plane = createApiServer({ clock: new VirtualClock(), random: seeded(1), tokens });
  const response = await plane.transport(
    {
      method: 'POST',
      url: 'https://plane.test/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: new TextEncoder().encode('{}'),
    },
    { signal: new AbortController().signal },
  );
  expect(response.status).toBe(201);
  expect(parseJson(new TextDecoder().decode(await readAll(response.body)))).toMatchObject({
    kind: 'SelfSubjectReview',
    status: { userInfo: { username: 'jane', uid: '7', groups: expect.arrayContaining(['team']) as unknown } },
  });
});
