import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import { findProgram } from './find-program.ts';
import { helm, kubectl } from './programs.ts';

/** A program that says of itself what kubectl does. */
const pretend = (version: string): string => `#!/bin/sh\necho '{"clientVersion": {"gitVersion": "${version}"}}'\n`;

describe('findProgram', () => {
  it('takes the variable before the installed one before the one of the PATH', async () => {
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
    expect(await findProgram(kubectl, { variables: { PATH, KUBECTL: named }, cached })).toEqual({
      path: named,
      version: 'v1.37.0',
    });
    expect(await findProgram(kubectl, { variables: { PATH }, cached })).toEqual({ path: cached, version: 'v1.35.2' });
    const onPath = { path: join(PATH, 'kubectl'), version: 'v1.36.1' };
    expect(await findProgram(kubectl, { variables: { PATH }, cached: join(folder.path, 'nowhere') })).toEqual(onPath);
  });

  it.each([
    ['v1.34.9', 'is older than v1.35'],
    ['v0.99.0', 'is older than v1.35'],
    ['nonsense', 'does not tell its version'],
  ])('does not use %s, and says why', async (version, reason) => {
    using folder = scratch({ named: pretend(version) });
    const variables = { KUBECTL: join(folder.path, 'named'), PATH: folder.path };
    expect(await findProgram(kubectl, { variables, cached: join(folder.path, 'nowhere') })).toEqual({
      path: undefined,
      reasons: [expect.stringContaining(reason), expect.stringContaining('not there')],
    });
  });

  it.each(['v1.35.0', 'v1.36.0-rc.1', 'v2.0.0'])('uses %s', async (version) => {
    using folder = scratch({ named: pretend(version) });
    const named = join(folder.path, 'named');
    expect(await findProgram(kubectl, { variables: { KUBECTL: named }, cached: 'nowhere' })).toEqual({
      path: named,
      version,
    });
  });

  it.each([
    ['v4.1.4+g05fa379', 'v4.1.4+g05fa379'],
    ['v3.18.0+g1', 'v3.18.0+g1'],
    ['v3.17.3+g1', undefined],
    ['WARNING: a file is group-readable\nv4.1.4+g05fa379', 'v4.1.4+g05fa379'],
  ])('reads what helm says: %j', async (said, version) => {
    using folder = scratch({ named: `#!/bin/sh\nprintf '%s\\n' '${said}'\n` });
    const found = await findProgram(helm, { variables: { HELM: join(folder.path, 'named') }, cached: 'nowhere' });
    expect('version' in found ? found.version : undefined).toBe(version);
  });
});
