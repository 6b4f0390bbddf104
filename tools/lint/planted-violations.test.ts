/**
 * Plants one violation of every boundary, ban and rule in a small workspace that has this repository's own lint and nx configuration,
 * and sees each rejected by the rule that is there for it, and nothing else rejected.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../root.ts';
import { scratch } from '../testing/scratch.ts';

interface Plant {
  /** In the planted workspace. */
  readonly file: string;
  readonly code: string;
  /** The rule that must reject it; absent: nothing may. */
  readonly rule?: string;
  /** What its message must name: the thing to use instead. */
  readonly says?: string;
}

/** Who may import whom, written out again so that a slip in the configuration shows. */
const may: Readonly<Record<string, string>> = {
  core: '',
  k8s: 'core',
  server: 'core',
  shared: 'core k8s',
  testbed: 'core k8s server shared testbed',
  app: 'core k8s shared',
  e2e: 'core k8s server shared testbed app e2e tool',
  tool: 'core k8s server shared testbed app e2e tool',
};
const layers = Object.keys(may);

/** One project of each layer imports, in a source and in a test, another project of each layer. */
const imports: readonly Plant[] = layers.flatMap((from) =>
  layers.flatMap((to) => {
    const code = `import { name } from '@lifeline/${to}';\nexport const imported = name;\n`;
    const allowed = may[from]?.split(' ').includes(to);
    return ['ts', 'test.ts'].map((extension): Plant => {
      const file = `packages/from-${from}/src/imports-${to}.${extension}`;
      return allowed ? { file, code } : { file, code, rule: '@nx/enforce-module-boundaries' };
    });
  }),
);

const global = 'no-restricted-globals';
const member = 'no-restricted-properties';
const syntax = 'no-restricted-syntax';
const module = 'no-restricted-imports';

/** The code, the rule that rejects it, and what its message names. */
const banned: readonly (readonly [code: string, rule: string, says: string])[] = [
  ['Date.now();', member, 'clock.now()'],
  ['const { now } = Date; now();', member, 'clock.now()'],
  ['new Date();', syntax, 'clock.now()'],
  ['Date();', syntax, 'clock.now()'],
  ['Math.random();', member, 'random.next()'],
  ['setTimeout(() => undefined, 1);', global, 'clock.sleep(ms, signal)'],
  ['setInterval(() => undefined, 1);', global, 'clock.sleep(ms, signal)'],
  ['setImmediate(() => undefined);', global, 'virtual clock'],
  ['globalThis.setTimeout(() => undefined, 1);', global, 'named alone'],
  ['globalThis.Date.now();', global, 'named alone'],
  ['new globalThis.Date();', global, 'named alone'],
  ['const { crypto } = globalThis; String(crypto);', global, 'named alone'],
  ['global.setTimeout(() => undefined, 1);', global, 'named alone'],
  ['const D = Date; D.now();', syntax, 'named alone'],
  ['const chance = { source: Math }; chance.source.random();', syntax, 'named alone'],
  ['class D extends Date {} String(D);', syntax, 'named alone'],
  ['Reflect.construct(Date, []);', syntax, 'named alone'],
  ['performance.timeOrigin;', global, 'clock.monotonic()'],
  ["import { performance } from 'node:perf_hooks'; performance.now();", module, 'clock.monotonic()'],
  ['process.hrtime();', member, 'clock.monotonic()'],
  ['process.hrtime.bigint();', member, 'clock.monotonic()'],
  ['process.uptime();', member, 'clock.monotonic()'],
  ["process.getBuiltinModule('node:crypto').randomUUID();", member, 'the names you need'],
  ["import { hrtime } from 'node:process'; hrtime();", module, 'the names you need'],
  ["import perf from 'node:perf_hooks'; perf.performance.now();", module, 'the names you need'],
  ["(await import('node:perf_hooks')).performance.now();", syntax, 'the names you need'],
  ["import { setTimeout as sleep } from 'node:timers/promises'; await sleep(1);", module, 'clock.sleep(ms, signal)'],
  ["import { setTimeout as sleep } from 'timers/promises'; await sleep(1);", module, 'clock.sleep(ms, signal)'],
  ["import { setTimeout as later } from 'node:timers'; later(() => undefined, 1);", module, 'clock.sleep(ms, signal)'],
  ["await import('node:timers/promises');", syntax, 'clock.sleep(ms, signal)'],
  ['AbortSignal.timeout(1);', member, 'deadlineAbort(clock, ms'],
  ['AbortSignal.any([]);', member, 'linkAbort('],
  ['crypto.randomUUID();', member, 'random.next()'],
  ['crypto.getRandomValues(new Uint8Array(1));', member, 'random.next()'],
  ["await crypto.subtle.digest('SHA-256', new Uint8Array(1));", member, 'createHash'],
  ["import { randomUUID } from 'node:crypto'; randomUUID();", module, 'random.next()'],
  ["import { randomBytes } from 'node:crypto'; randomBytes(1);", module, 'random.next()'],
  ["import { randomFillSync } from 'node:crypto'; randomFillSync(new Uint8Array(1));", module, 'random.next()'],
  ["import chance from 'node:crypto'; chance.randomUUID();", module, 'the names you need'],
  ["(await import('node:crypto')).randomUUID();", syntax, 'the names you need'],
  ["import { getRandomValues } from 'crypto'; getRandomValues(new Uint8Array(1));", module, 'random.next()'],
  ["import { webcrypto } from 'node:crypto'; String(webcrypto);", module, 'createHash'],
  ["import { subtle } from 'node:crypto'; String(subtle);", module, 'createHash'],
  ["import * as crypto from 'node:crypto'; String(crypto);", module, 'random.next()'],
  ["import { vi } from 'vitest'; vi.useFakeTimers();", member, 'VirtualClock'],
  ["import { vi } from 'vitest'; vi.setSystemTime(0);", member, 'VirtualClock'],
  ["import { vi } from 'vitest'; vi.mock('./index.ts');", member, 'Clock, Random, Transport'],
  ["import { vi } from 'vitest'; vi.doMock('./index.ts');", member, 'Clock, Random, Transport'],
  ["export * from './index.ts';", syntax, 'Name what the module exports'],
  ["export * as everything from './index.ts';", syntax, 'Name what the module exports'],
  ["import { name } from './index.js'; String(name);", syntax, '.ts'],
  ["import { name } from './index.mts'; String(name);", syntax, '.ts'],
];

const rules: readonly (readonly [code: string, rule: string])[] = [
  ['export const loose = (x: any): string => String(x);', '@typescript-eslint/no-explicit-any'],
  ['export const untyped = (x: number) => x;', '@typescript-eslint/explicit-module-boundary-types'],
  ['Promise.resolve();', '@typescript-eslint/no-floating-promises'],
  ['[1].forEach(async () => Promise.resolve());', '@typescript-eslint/no-misused-promises'],
  ['export const f = (a: 1, b: 1, c: 1, d: 1): number => a + b + c + d;', '@typescript-eslint/max-params'],
  [
    "declare const state: 'a' | 'b';\nswitch (state) {\n  case 'a':\n    String(1);\n}",
    '@typescript-eslint/switch-exhaustiveness-check',
  ],
  ["import { Reporter } from 'vitest/node';\nexport type R = Reporter;", '@typescript-eslint/consistent-type-imports'],
  ['export default 1;', 'import/no-default-export'],
  ['// eslint-disable-next-line no-restricted-globals\nexport const calm = 1;', 'unused directive'],
];

const pure = 'packages/core is pure';

/** In `packages/core`: what its purity forbids, and what its own files may do because they are the home of it. */
const inCore: readonly Plant[] = [
  { file: 'fs.ts', code: "import { readFileSync } from 'node:fs'; String(readFileSync);", rule: module, says: pure },
  { file: 'fs-bare.ts', code: "import { readFileSync } from 'fs'; String(readFileSync);", rule: module, says: pure },
  {
    file: 'fs-type.ts',
    code: "import type { Stats } from 'node:fs'; export type S = Stats;",
    rule: module,
    says: pure,
  },
  { file: 'fs-late.ts', code: "await import('node:fs');", rule: syntax, says: pure },
  { file: 'http2.ts', code: "import { connect } from 'node:http2'; String(connect);", rule: module, says: pure },
  {
    file: 'cipher.ts',
    code: "import { createCipheriv } from 'node:crypto'; String(createCipheriv);",
    rule: module,
    says: pure,
  },
  { file: 'yaml.ts', code: "import { parse } from 'yaml'; parse('');", rule: module, says: pure },
  { file: 'testing/vitest.ts', code: "import { it } from 'vitest'; String(it);", rule: module, says: pure },
  { file: 'hash.ts', code: "import { createHash } from 'node:crypto'; createHash('sha256');" },
  { file: 'zod.ts', code: "import { z } from 'zod'; import { name } from './index.ts'; z.literal(name);" },
  { file: 'time.ts', code: 'Date.now(); performance.now(); setTimeout(() => undefined, 1);' },
  { file: 'random.ts', code: 'Math.random();' },
  { file: 'testing/virtual-clock.ts', code: 'setImmediate(() => undefined);' },
  { file: 'fs-builtin.ts', code: "process.getBuiltinModule('node:fs');", rule: member, says: 'the names you need' },
  { file: 'meta/time.ts', code: 'Date.now();', rule: member, says: 'clock.now()' },
  { file: 'testing/random.ts', code: 'Math.random();', rule: member, says: 'random.next()' },
  { file: 'abort.ts', code: 'setImmediate(() => undefined);', rule: global, says: 'virtual clock' },
].map((plant) => ({ ...plant, file: `packages/core/src/${plant.file}` }));

const plants: readonly Plant[] = [
  ...imports,
  ...banned.flatMap(([code, rule, says], index) => [
    { file: `packages/k8s/src/banned-${index}.ts`, code, rule, says },
    { file: `packages/k8s/src/banned-${index}.test.ts`, code, rule, says },
  ]),
  ...rules.map(([code, rule], index) => ({ file: `packages/k8s/src/rule-${index}.ts`, code, rule })),
  ...inCore,
  {
    file: 'packages/k8s/src/relative.ts',
    code: "import { name } from '../../core/src/index.ts'; String(name);",
    rule: '@nx/enforce-module-boundaries',
  },
  {
    file: 'packages/from-app/src/relative.ts',
    code: "import { name } from '../../app/src/index.ts'; String(name);",
    rule: '@nx/enforce-module-boundaries',
  },
  {
    file: 'packages/k8s/src/a.ts',
    code: "import { b } from './b.ts';\nexport const a = (): number => b();",
    rule: 'import/no-cycle',
  },
  {
    file: 'packages/k8s/src/b.ts',
    code: "import { c } from './c.ts';\nexport const b = (): number => c();",
    rule: 'import/no-cycle',
  },
  {
    file: 'packages/k8s/src/c.ts',
    code: "import { a } from './a.ts';\nexport const c = (): number => a();",
    rule: 'import/no-cycle',
  },
  { file: 'packages/k8s/src/new-date.ts', code: 'export const at = (ms: number): Date => new Date(ms);' },
  { file: 'packages/k8s/bench/turns.bench.ts', code: 'setImmediate(() => undefined);' },
  { file: 'packages/k8s/bench/memory.bench.ts', code: 'globalThis.gc?.();' },
  { file: 'packages/k8s/bench/self.bench.ts', code: "import { name } from '@lifeline/k8s'; String(name);" },
  {
    file: 'packages/k8s/bench/other.bench.ts',
    code: "import { name } from '@lifeline/server'; String(name);",
    rule: '@nx/enforce-module-boundaries',
  },
];

/** Projects by folder: the plain ones are imported, the `from-` ones import. */
const projects = layers.flatMap((layer) => [
  { folder: `packages/${layer}`, name: layer, layer },
  { folder: `packages/from-${layer}`, name: `from-${layer}`, layer },
]);

interface Message {
  readonly ruleId: string | null;
  readonly message: string;
}

const workspace = scratch();
afterAll(() => workspace[Symbol.dispose]());

function plantWorkspace(): void {
  for (const file of ['eslint.config.js', 'nx.json', 'tsconfig.base.json', 'package-lock.json']) {
    copyFileSync(join(root, file), join(workspace.path, file));
  }
  mkdirSync(join(workspace.path, 'tools'));
  cpSync(join(root, 'tools/lint'), join(workspace.path, 'tools/lint'), { recursive: true });
  workspace.write({
    'package.json': JSON.stringify({ name: 'planted', private: true, type: 'module', workspaces: ['packages/*'] }),
    'tsconfig.json': JSON.stringify({ extends: './tsconfig.base.json', include: ['packages'] }),
  });
  mkdirSync(join(workspace.path, 'node_modules/@lifeline'), { recursive: true });
  for (const { folder, name, layer } of projects) {
    const manifest = {
      name: `@lifeline/${name}`,
      version: '0.0.0',
      type: 'module',
      exports: { '.': { '@lifeline/source': './src/index.ts' } },
      nx: { tags: [`layer:${layer}`] },
    };
    workspace.write({
      [`${folder}/package.json`]: JSON.stringify(manifest),
      [`${folder}/src/index.ts`]: `export const name = '${name}';\n`,
    });
    symlinkSync(`../../${folder}`, join(workspace.path, 'node_modules/@lifeline', name));
  }
  for (const { file, code } of plants) workspace.write({ [file]: `${code}\nexport {};\n` });
}

/** Runs a program of the dependencies in the planted workspace. */
function program(name: string, ...args: readonly string[]): { status: number | null; output: string } {
  const { NODE_OPTIONS: _, VITEST: __, ...inherited } = process.env;
  const env = { ...inherited, FORCE_COLOR: '0', NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', name), args, {
    cwd: workspace.path,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe('planted violations', () => {
  const found = new Map<string, readonly Message[]>();
  let bare: ReturnType<typeof program>;

  beforeAll(() => {
    plantWorkspace();
    // A file that breaks a boundary and nothing else, linted with no project graph at hand.
    bare = program('eslint', 'packages/from-core/src/imports-k8s.ts');
    program('nx', 'graph', '--file=.nx/graph.json');
    program('eslint', '--format=json', '--output-file=report.json', 'packages');
    const report = readFileSync(join(workspace.path, 'report.json'), 'utf8');
    for (const { filePath, messages } of JSON.parse(report) as { filePath: string; messages: Message[] }[]) {
      found.set(relative(workspace.path, filePath), messages);
    }
  }, 120_000);

  it('eslint without a project graph lets a boundary pass, and says what `npm run check` looks for', () => {
    expect(bare.status).toBe(0);
    expect(bare.output).toMatch(/No cached ProjectGraph.*will be skipped/s);
  });

  it('every planted file was linted', () => {
    expect([...found.keys()]).toEqual(expect.arrayContaining(plants.map(({ file }) => file)));
  });

  it.each(plants.filter(({ rule }) => rule))('$file: $rule rejects it', ({ file, rule, says = '' }) => {
    const messages = found.get(file) ?? [];
    const hits = messages.filter(
      ({ ruleId, message }) => (ruleId ?? (message.startsWith('Unused') ? 'unused directive' : '')) === rule,
    );
    expect(hits.map(({ message }) => message).join('\n'), JSON.stringify(messages)).toContain(says);
    expect(hits.length).toBeGreaterThan(0);
  });

  it.each(plants.filter(({ rule }) => !rule))('$file: nothing of ours rejects it', ({ file }) => {
    const ours = new Set(plants.map(({ rule }) => rule));
    expect(found.get(file)?.filter(({ ruleId }) => ruleId && ours.has(ruleId))).toEqual([]);
  });
});
