import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import type { Place } from './maker.ts';
import { type Binary, binaryOf } from './recipes.ts';
import { keyOf, Shelf } from './shelf.ts';

const etcd = binaryOf('etcd');
const newer: Binary = { ...etcd, version: '9.9.9' };

const writes =
  (text: string) =>
  ({ path }: Place): Promise<void> =>
    writeFile(path, text);

describe('Shelf', () => {
  it('keeps what was made, and nothing that came about on the way', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    await shelf.put(etcd, async ({ path, work }) => {
      await writeFile(join(work, 'archive.zip'), 'x');
      await writeFile(path, 'etcd');
    });
    expect(readFileSync(shelf.pathOf(etcd), 'utf8')).toBe('etcd');
    expect(readdirSync(join(folder.path, '.kept'), { recursive: true })).toEqual([keyOf(etcd), `${keyOf(etcd)}/etcd`]);
  });

  it('keeps a folder as well', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const crds = binaryOf('envoy-gateway-crds');
    await shelf.put(crds, async ({ path }) => {
      await mkdir(path);
      await writeFile(join(path, 'a.yaml'), 'a');
    });
    await shelf.link(crds);
    expect(readdirSync(join(folder.path, 'envoy-gateway-crds'))).toEqual(['a.yaml']);
  });

  it('has nothing of what failed half-way', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const made = shelf.put(etcd, async ({ path }) => {
      await writeFile(path, 'et');
      throw new Error('the disk is full');
    });
    await expect(made).rejects.toThrow('the disk is full');
    expect(shelf.has(etcd)).toBe(false);
    expect(readdirSync(join(folder.path, '.kept'))).toEqual([]);
  });

  it('the first of two that make the same stays', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    await shelf.put(etcd, async ({ path }) => {
      await writeFile(path, 'slow');
      await shelf.put(etcd, writes('fast'));
    });
    expect(readFileSync(shelf.pathOf(etcd), 'utf8')).toBe('fast');
    expect(readdirSync(join(folder.path, '.kept'))).toEqual([keyOf(etcd)]);
  });

  it('a link leads to the version that is wanted, and the others stay', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const link = join(folder.path, 'etcd');
    for (const binary of [etcd, newer]) await shelf.put(binary, writes(binary.version));
    for (const binary of [etcd, newer, etcd]) {
      await shelf.link(binary);
      expect(realpathSync(link)).toBe(shelf.pathOf(binary));
    }
    expect(shelf.has(newer)).toBe(true);
  });

  it('a link that is right is left alone', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    await shelf.put(etcd, writes('etcd'));
    await shelf.link(etcd);
    const { ino } = lstatSync(join(folder.path, 'etcd'));
    await shelf.link(etcd);
    expect(lstatSync(join(folder.path, 'etcd')).ino).toBe(ino);
  });

  it('takes the place of a program that stands there itself', async () => {
    using folder = scratch({ etcd: '#!/bin/sh\n' });
    const shelf = new Shelf(folder.path);
    await shelf.put(etcd, writes('etcd'));
    await shelf.link(etcd);
    expect(realpathSync(join(folder.path, 'etcd'))).toBe(shelf.pathOf(etcd));
  });
});
