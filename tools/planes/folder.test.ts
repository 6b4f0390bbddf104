import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import { FolderInUse, PlanesFolder } from './folder.ts';

const contents = (path: string): string[] => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();

describe('the folder of a set-up', () => {
  it('is held while it is open, and says by whom', async () => {
    using dir = scratch();
    await using folder = await PlanesFolder.open(join(dir.path, 'new/planes'));
    expect(readFileSync(folder.file('pid'), 'utf8')).toBe(`${process.pid}\n`);
    await folder.write('pid', `${process.ppid}\n`);
    await expect(PlanesFolder.open(folder.path)).rejects.toThrow(FolderInUse);
    await expect(PlanesFolder.open(folder.path)).rejects.toThrow(`in use by process ${process.ppid}: stop it`);
  });

  it('what a killed process says is cleared away; what is somebody else’s stays', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    using dir = scratch({ ready: '', 'apps.json': '{}', pid: `${pid}\n`, 'mine.kubeconfig': '' });
    await using folder = await PlanesFolder.open(dir.path);
    expect(contents(folder.path)).toEqual(['mine.kubeconfig', 'pid']);
  });

  it('closed, it says no more that anything is ready', async () => {
    using dir = scratch();
    const folder = await PlanesFolder.open(dir.path);
    for (const name of ['ready', 'apps.json', 'hub.kubeconfig']) await folder.write(name, '');
    await folder[Symbol.asyncDispose]();
    expect(contents(dir.path)).toEqual(['hub.kubeconfig']);
  });

  it('an app’s folder holds nothing of an earlier set-up, and nobody else reads it', async () => {
    using dir = scratch({ 'apps/a/sources/project-c.kubeconfig': 'old' });
    await using folder = await PlanesFolder.open(dir.path);
    expect(await folder.emptied('apps/a')).toBe(join(dir.path, 'apps/a'));
    await folder.write('apps/a/sources/project-a.kubeconfig', 'new');
    expect(contents(join(dir.path, 'apps'))).toEqual(['a', 'a/sources', 'a/sources/project-a.kubeconfig']);
    expect(statSync(folder.file('apps/a/sources/project-a.kubeconfig')).mode & 0o777).toBe(0o600);
  });
});
