/** The folder that a set-up is described in. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';

export interface Access {
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

/** A kubeconfig with one context, named after its plane. */
export const kubeconfigText = ({ name, server, authority, token }: Access): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') } }],
    users: [{ name, user: { token } }],
  });

/** Somebody else uses the folder. */
export class FolderInUse extends Error {}

/** `DIR`, held by this process until it is disposed. What a killed process left behind is cleared away. */
export class PlanesFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @throws FolderInUse */
  static async open(dir: string): Promise<PlanesFolder> {
    const folder = new PlanesFolder(resolve(dir));
    await mkdir(folder.path, { recursive: true });
    const holder = Number(await readFile(folder.file('pid'), 'utf8').catch(() => ''));
    if (holder && holder !== process.pid && isRunning(holder)) {
      throw new FolderInUse(`${folder.path} is in use by process ${holder}: stop it, or take another --dir`);
    }
    await folder.#clear();
    await folder.write('pid', `${process.pid}\n`);
    return folder;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Makes the folders on the way. Readable by this user only: kubeconfigs hold tokens. */
  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.file(name)), { recursive: true });
    await writeFile(this.file(name), text, { mode: 0o600 });
  }

  /** Makes a folder below, empty, whatever an earlier set-up has left there; gives its path. */
  async emptied(name: string): Promise<string> {
    const path = this.file(name);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#clear();
    await rm(this.file('pid'), { force: true });
  }

  /** `ready` goes first and comes last: who waits for it never reads half a set-up. */
  async #clear(): Promise<void> {
    await rm(this.file('ready'), { force: true });
    await rm(this.file('apps.json'), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
