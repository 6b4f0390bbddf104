import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readlink, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import type { Place } from './maker.ts';
import type { Binary } from './recipes.ts';

/** Where tests and people find programs by their name. */
export const binFolder = join(root, '.cache/bin');

/** In which folder it is kept: its version, and a digest of its recipe, so that another recipe is another folder. */
export function keyOf(binary: Binary): string {
  const recipe = JSON.stringify([process.platform, process.arch, binary]);
  return `${binary.name}-${binary.version}-${createHash('sha256').update(recipe).digest('hex').slice(0, 12)}`;
}

/**
 * Keeps binaries by what they are made from: `.kept/KEY/NAME`, and beside `.kept` a link, NAME, to the one that is wanted.
 *
 * Guarantees: what stands under its name is whole, whenever a process was ended. Two processes may make the same thing at the same time:
 * the first one's stays. Nothing that was kept is taken away.
 */
export class Shelf {
  readonly #bin: string;

  constructor(bin: string = binFolder) {
    this.#bin = bin;
  }

  /** Where it is, when it is there. It stays there when the link is moved on. */
  pathOf(binary: Binary): string {
    return join(this.#bin, this.#kept(binary));
  }

  has(binary: Binary): boolean {
    return existsSync(this.pathOf(binary));
  }

  /** Has it made aside, and keeps it when it is whole. */
  async put(binary: Binary, make: (place: Place) => Promise<void>): Promise<void> {
    await using aside = await this.#aside();
    const [made, work] = [join(aside.path, 'made'), join(aside.path, 'work')];
    await mkdir(made);
    await mkdir(work);
    await make({ path: join(made, binary.name), work });
    try {
      await rename(made, dirname(this.pathOf(binary)));
    } catch (error) {
      // Somebody else was faster.
      if (!this.has(binary)) throw error;
    }
  }

  /** Makes it the one that is found by its name. */
  async link(binary: Binary): Promise<void> {
    const link = join(this.#bin, binary.name);
    const target = this.#kept(binary);
    if ((await readlink(link).catch(() => undefined)) === target) return;
    await using aside = await this.#aside();
    await symlink(target, join(aside.path, 'link'));
    await rename(join(aside.path, 'link'), link);
  }

  /** From the folder. */
  #kept(binary: Binary): string {
    return join('.kept', keyOf(binary), binary.name);
  }

  /** In the same file system: a rename moves all of it at once. */
  async #aside(): Promise<{ readonly path: string } & AsyncDisposable> {
    await mkdir(join(this.#bin, '.kept'), { recursive: true });
    return mkdtempDisposable(join(this.#bin, '.kept', '.part-'));
  }
}
