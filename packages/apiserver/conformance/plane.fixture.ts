/** Our server, as the suite sees it. */
import type { Clock } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import { createApiServer } from '../src/create-api-server.ts';
import type { ApiServer } from '../src/server.ts';
import type { Credentials } from './target.ts';

export const credentials: Credentials = { admin: 'admin-token', plain: 'plain-token' };

export const createPlane = (clock: Clock): ApiServer =>
  createApiServer({
    clock,
    random: seeded('plane'),
    rbac: true,
    tokens: [
      { token: 'admin-token', user: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
      { token: 'plain-token', user: 'plain', uid: 'plain-uid', groups: ['plain-group'] },
    ],
  });
