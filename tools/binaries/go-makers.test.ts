import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../testing/scratch.ts';
import { makerFor } from './make.ts';
import type { Machine, Maker } from './maker.ts';
import { binaryOf } from './recipes.ts';

/** A go that tells a version, and to everything else does this. */
const pretend = (version: string, deed = 'exit 9'): string =>
  `#!/bin/sh\nif [ "$1" = env ]; then echo ${version}; else ${deed}; fi\n`;

/** A machine with nothing but what stands in a folder: `path/go`, `beside/go`. */
const machineOf = ({ path }: Scratch): Machine => ({
  platform: 'linux',
  arch: 'x64',
  path: join(path, 'path'),
  goBin: join(path, 'beside'),
});
const etcdMaker = (folder: Scratch): Maker => makerFor(binaryOf('etcd'), machineOf(folder));

describe('Go', () => {
  it.each([
    ['there is none', {}, 'there is none on the PATH or in DIR/beside'],
    ['it is too old', { 'path/go': pretend('go1.26.6') }, 'DIR/path/go is 1.26.6'],
    [
      'both are',
      { 'path/go': pretend('go1.9.2'), 'beside/go': pretend('go1.25') },
      'DIR/path/go is 1.9.2, and DIR/beside/go is 1.25',
    ],
    ['it is no Go', { 'path/go': pretend('weiqi') }, 'DIR/path/go does not tell its version'],
  ])('says what to install when %s', async (_, files, reason) => {
    using folder = scratch(files);
    const line = `Go 1.26.7 or newer is needed, and ${reason.replaceAll('DIR', folder.path)}. Install it.`;
    expect(await etcdMaker(folder).lacks()).toBe(line);
  });

  it('says so once when it is the same one', async () => {
    using folder = scratch({ 'path/go': pretend('go1.20') });
    const machine = { ...machineOf(folder), goBin: join(folder.path, 'path') };
    expect(await makerFor(binaryOf('etcd'), machine).lacks()).toMatch(/and \S+ is 1\.20\. Install it\.$/);
  });

  it.each([
    ['on the PATH', { 'path/go': pretend('go1.26.7') }],
    ['beside it', { 'beside/go': pretend('go1.26.10') }],
    ['beside an old one', { 'path/go': pretend('go1.20'), 'beside/go': pretend('go1.27rc1 X:something') }],
  ])('is enough when it is %s', async (_, files) => {
    using folder = scratch(files);
    expect(await etcdMaker(folder).lacks()).toBe(undefined);
  });

  it('builds with what is here, and with what go.sum knows', async () => {
    const told = 'echo "$PWD $GOTOOLCHAIN $GOWORK $CGO_ENABLED $*" > "$7"';
    using folder = scratch({ 'path/go': pretend('go1.26.8', told) });
    const path = join(folder.path, 'etcd');
    await etcdMaker(folder).make({ path, work: folder.path });
    expect(
      readFileSync(path, 'utf8')
        .trim()
        .replace(/^.*tools/, 'tools'),
    ).toBe(
      `tools/binaries/go/etcd local off 0 build -mod=readonly -trimpath -buildvcs=false -ldflags=-s -w -o ${path} go.etcd.io/etcd/server/v3`,
    );
  });

  it('a build that fails shows its end', async () => {
    using folder = scratch({ 'path/go': pretend('go1.26.8', 'seq 1 100; echo it does not compile >&2; exit 2') });
    const made = etcdMaker(folder).make({ path: join(folder.path, 'etcd'), work: folder.path });
    await expect(made).rejects.toThrow(/go build .* ended with exit code 2:\n\d+\n(\d+\n)*it does not compile$/);
    await expect(made).rejects.not.toThrow('\n80\n');
  });
});

describe('files of a Go module', () => {
  const crds = 'charts/gateway-helm/charts/crds/crds';
  const answer = `echo 'go: downloading' >&2; echo "{ \\"Dir\\": \\"$(dirname "$0")/../module\\" }"`;

  it('stand side by side', async () => {
    using folder = scratch({
      'path/go': pretend('go1.26.8', answer),
      [`module/${crds}/gatewayapi-crds.yaml`]: 'a',
      [`module/${crds}/generated/b.yaml`]: 'b',
      [`module/${crds}/generated/c.txt`]: 'c',
    });
    const path = join(folder.path, 'made');
    await makerFor(binaryOf('envoy-gateway-crds'), machineOf(folder)).make({ path, work: folder.path });
    expect(readdirSync(path).sort()).toEqual(['b.yaml', 'gatewayapi-crds.yaml']);
  });

  it('are all there', async () => {
    using folder = scratch({
      'path/go': pretend('go1.26.8', answer),
      [`module/${crds}/gatewayapi-crds.yaml`]: 'a',
    });
    const made = makerFor(binaryOf('envoy-gateway-crds'), machineOf(folder)).make({
      path: join(folder.path, 'made'),
      work: folder.path,
    });
    await expect(made).rejects.toThrow(`github.com/envoyproxy/gateway 1.9.1 has no ${crds}/generated/*.yaml`);
  });
});
