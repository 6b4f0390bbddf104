/** Builds programs of Go modules, and takes files out of them. */
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isExecutable, onPath } from '../executables.ts';
import { run } from '../process.ts';
import { type Machine, type Maker, runQuietly } from './maker.ts';
import { compareVersions, type GoFiles, type GoModule, goModulesFolder, type GoProgram, leastGo } from './recipes.ts';

/** The Go that is here and no other, nothing but the module, and programs that need no library of this machine. */
const env = { GOTOOLCHAIN: 'local', GOWORK: 'off', CGO_ENABLED: '0' };

export function goProgramMaker({ by, main, flags }: GoProgram, machine: Machine): Maker {
  return {
    deed: `go build ${main}`,
    lacks: () => lacksGo(machine),
    async make({ path }) {
      await runGo(machine, by, ['build', ...flags, '-o', path, main]);
    },
  };
}

export function goFilesMaker({ by, patterns }: GoFiles, machine: Machine): Maker {
  return {
    deed: `go mod download ${by.module}`,
    lacks: () => lacksGo(machine),
    async make({ path }) {
      const said = await runGo(machine, by, ['mod', 'download', '-json', by.module]);
      const [, folder] = /"Dir": ("(?:[^"\\]|\\.)*")/.exec(said) ?? [];
      if (folder === undefined) throw new Error(`go does not say where ${by.module} is:\n${said.trim()}`);
      const cwd = JSON.parse(folder) as string;
      await mkdir(path);
      for (const pattern of patterns) {
        const files = await Array.fromAsync(glob(pattern, { cwd }));
        if (files.length === 0) throw new Error(`${by.module} ${by.version} has no ${pattern}`);
        // Read and written, not copied: there they are read-only.
        for (const file of files) await writeFile(join(path, basename(file)), await readFile(join(cwd, file)));
      }
    },
  };
}

/** In the module. */
async function runGo(machine: Machine, { folder }: GoModule, args: readonly string[]): Promise<string> {
  const found = await findGo(machine);
  if ('lacks' in found) throw new Error(found.lacks);
  return runQuietly(found.path, args, { cwd: join(goModulesFolder, folder), env });
}

async function lacksGo(machine: Machine): Promise<string | undefined> {
  const found = await findGo(machine);
  return 'lacks' in found ? found.lacks : undefined;
}

/** The go of the PATH, or else the one where Go's own archive puts it, if it is new enough. */
async function findGo({ path, goBin }: Machine): Promise<{ readonly path: string } | { readonly lacks: string }> {
  const candidates = new Set([onPath('go', path) ?? '', join(goBin, 'go')].filter(isExecutable));
  const seen: string[] = [];
  for (const go of candidates) {
    const { output } = await run(go, ['env', 'GOVERSION'], { env, show: false });
    const [, version] = /^go(\d+(?:\.\d+)*)/m.exec(output) ?? [];
    if (version !== undefined && compareVersions(version, leastGo) >= 0) return { path: go };
    seen.push(version === undefined ? `${go} does not tell its version` : `${go} is ${version}`);
  }
  const found = seen.length > 0 ? seen.join(', and ') : `there is none on the PATH or in ${goBin}`;
  return { lacks: `Go ${leastGo} or newer is needed, and ${found}. Install it.` };
}
