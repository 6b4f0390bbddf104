import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import { findKubectl } from './kubectl.ts';

/** A program that says of itself what kubectl does. */
const pretend = (version: string): string => `#!/bin/sh\necho '{"clientVersion": {"gitVersion": "${version}"}}'\n`;

describe('findKubectl', () => {
  it('takes KUBECTL before the installed one before the one of the PATH', async () => {
    using folder = scratch({
      named: pretend('v1.37.0'),
      cached: pretend('v1.35.2'),
      'path/kubectl': pretend('v1.36.1'),
    });
    const [named, cached, PATH] = ['named', 'cached', 'path'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    expect(await findKubectl({ PATH, KUBECTL: named }, cached)).toEqual({ path: named, version: 'v1.37.0' });
    expect(await findKubectl({ PATH }, cached)).toEqual({ path: cached, version: 'v1.35.2' });
    const onPath = { path: join(PATH, 'kubectl'), version: 'v1.36.1' };
    expect(await findKubectl({ PATH }, join(folder.path, 'nowhere'))).toEqual(onPath);
  });

  it.each([
    ['v1.34.9', 'is older than v1.35'],
    ['v0.99.0', 'is older than v1.35'],
    ['nonsense', 'does not tell its version'],
  ])('does not use %s, and says why', async (version, reason) => {
    using folder = scratch({ named: pretend(version) });
    const variables = { KUBECTL: join(folder.path, 'named'), PATH: folder.path };
    expect(await findKubectl(variables, join(folder.path, 'nowhere'))).toEqual({
      path: undefined,
      reasons: [expect.stringContaining(reason), expect.stringContaining('not there')],
    });
  });

  it.each(['v1.35.0', 'v1.36.0-rc.1', 'v2.0.0'])('uses %s', async (version) => {
    using folder = scratch({ named: pretend(version) });
    const named = join(folder.path, 'named');
    expect(await findKubectl({ KUBECTL: named }, 'nowhere')).toEqual({ path: named, version });
  });
});
