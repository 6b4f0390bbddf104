import { copyFile, glob, mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type DurationMs, systemClock } from '@lifeline/core';
import { build } from 'esbuild';
import { called } from './command.ts';
import { run } from './process.ts';
import { root } from './root.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run build [-- APP…]

Builds each app to one file, dist/<app>/main.js, with its source map, and proves that it starts: --help answers within a second. With
names: only these apps.`;

/** What a built app came to. */
export interface Built {
  readonly app: string;
  readonly bytes: number;
  /** The fastest of three starts with `--help`. */
  readonly startMs: number;
  /** Why it cannot be shipped; absent when it can. */
  readonly fault?: string;
}

/** On a machine on which nothing else goes on. */
const startLimitMs: DurationMs = 1000;
/** What a bare Node takes there; where it takes longer, everything may. */
const bareMs = 50;

/** CommonJS dependencies inside an ES module bundle still ask for these. */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

/** Bundles the app in a folder (`src/main.ts`) into `outDir/<app>/main.js` and starts it. */
export async function buildApp(folder: string, outDir: string, limitMs: DurationMs = startLimitMs): Promise<Built> {
  const app = basename(folder);
  const outfile = resolve(outDir, app, 'main.js');
  try {
    await build({
      entryPoints: [join(folder, 'src/main.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      conditions: ['@lifeline/source'],
      sourcemap: 'linked',
      legalComments: 'linked',
      banner: { js: banner },
      logLevel: 'silent',
    });
  } catch (error) {
    return { app, bytes: 0, startMs: 0, fault: (error as Error).message };
  }
  const { size: bytes } = await stat(outfile);
  return { app, bytes, ...(await start(outfile, limitMs)) };
}

/**
 * Starts a built app with `--help`, three times, from a folder with nothing else in it or above it. Beside each goes a bare Node, so that a
 * machine which is busy with something else is not taken for a slow app.
 */
async function start(built: string, limitMs: DurationMs): Promise<Pick<Built, 'startMs' | 'fault'>> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-build-'));
  const file = join(folder.path, 'main.js');
  await copyFile(built, file);
  let startMs = Infinity;
  let slowness = Infinity;
  for (let i = 0; i < 3; i++) {
    const begun = systemClock.monotonic();
    await run(process.execPath, ['--eval', '0'], { cwd: folder.path, show: false });
    const from = systemClock.monotonic();
    slowness = Math.min(slowness, Math.max(1, (from - begun) / bareMs));
    const { code, output } = await run(process.execPath, [file, '--help'], {
      cwd: folder.path,
      show: false,
    });
    startMs = Math.min(startMs, systemClock.monotonic() - from);
    if (code !== 0) return { startMs, fault: `--help exits with ${code}: ${output.trim()}` };
    if (output.trim() === '') return { startMs, fault: '--help prints nothing' };
  }
  return startMs < limitMs * slowness
    ? { startMs }
    : { startMs, fault: `it takes ${startMs.toFixed(0)} ms to start, not under ${limitMs}` };
}

if (import.meta.main) {
  const { words } = called(usage);
  const mains = (await Array.fromAsync(glob('apps/*/src/main.ts', { cwd: root }))).sort();
  const apps = mains
    .map((main) => dirname(dirname(main)))
    .filter((app) => words.length === 0 || words.includes(basename(app)));
  let failed = 0;
  for (const folder of apps) {
    const { app, bytes, startMs, fault } = await buildApp(join(root, folder), join(root, 'dist'));
    if (fault !== undefined) failed++;
    console.log(`dist/${app}/main.js  ${(bytes / 2 ** 20).toFixed(2)} MiB, starts in ${startMs.toFixed(0)} ms`);
    if (fault !== undefined) console.log(`  FAILED: ${fault}`);
  }
  if (mains.length === 0) console.log('No app has a src/main.ts yet: nothing was built.');
  console.log(summaryLine({ passed: apps.length - failed, failed, skipped: 0 }));
  process.exitCode = failed === 0 && (apps.length > 0 || words.length === 0) ? 0 : 1;
}
