import { readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryPoints, exportedNames } from './exports.ts';
import { root } from './root.ts';

const manifests = (await Array.fromAsync(glob('packages/*/package.json', { cwd: root }))).sort();

/** The snapshot of a package: its entry points, and under each the names it exports. */
function snapshot(folder: string): string {
  return entryPoints(folder)
    .map(({ name, source }) => [
      name,
      ...exportedNames(source, readFileSync(join(root, source), 'utf8')).map((line) => `  ${line}`),
    ])
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}

describe('the names each package exports', () => {
  it.each(manifests.map((manifest) => dirname(manifest)))('%s', (folder) => {
    const file = join(root, folder, 'exports.txt');
    const now = snapshot(folder);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, now);
    expect(now, `if this is meant: UPDATE_GOLDEN=1 npx vitest run tools/exports.test.ts`).toBe(
      readFileSync(file, 'utf8'),
    );
  });
});

describe('exportedNames', () => {
  it('lists values and types of every form', () => {
    const text = `
      export { b, type C, d as e } from './b.ts';
      export type { F } from './f.ts';
      export const a = 1, z = 2;
      export function g(): void {}
      export class H {}
      export interface I {}
      export type J = 1;
      const k = 1;
      export { k };`;
    expect(exportedNames('index.ts', text)).toEqual([
      'H',
      'a',
      'b',
      'e',
      'g',
      'k',
      'type C',
      'type F',
      'type I',
      'type J',
      'z',
    ]);
  });

  it.each([
    ["export * from './a.ts';"],
    ["export * as a from './a.ts';"],
    ['export default 1;'],
    ['export default class {}'],
  ])('refuses what is no list: %s', (text) => {
    expect(() => exportedNames('index.ts', text)).toThrow(SyntaxError);
  });

  it('entry points are the exports with a source', () => {
    expect(entryPoints('packages/core')).toEqual([
      { name: '@lifeline/core', source: 'packages/core/src/index.ts' },
      { name: '@lifeline/core/crd', source: 'packages/core/src/crd/index.ts' },
      { name: '@lifeline/core/testing', source: 'packages/core/src/testing/index.ts' },
    ]);
  });
});
