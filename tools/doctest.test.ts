import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, moduleOf, sourceOf } from './doctest.ts';
import { root } from './root.ts';
import { scratch } from './testing/scratch.ts';

const folder = scratch();
afterAll(() => folder[Symbol.dispose]());
const checks = join(root, 'tools/doctest/checks.ts');
let modules = 0;

/** Runs a `run` block as a module. */
async function runBlock(block: Block): Promise<void> {
  const name = `block-${modules++}.ts`;
  folder.write({ [name]: moduleOf(block, checks) });
  await import(join(folder.path, name));
}

const documents = (await Array.fromAsync(glob(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root }))).sort();
const blocks = (
  await Promise.all(documents.map(async (document) => blocksOf(document, await readFile(join(root, document), 'utf8'))))
).flat();

describe.runIf(blocks.length > 0)('documents', () => {
  it.each(blocks.map((block) => ({ ...block, where: `${block.document}:${block.line}` })))(
    '$where ts $info',
    async (block) => {
      const [kind = '', ...more] = block.info.split(' ');
      expect(more).toEqual([]);
      if (kind === 'run') await runBlock(block);
      else if (kind.startsWith('file=')) expect(block.code).toBe(sourceOf(kind.slice('file='.length)));
      else expect.unreachable('a ts block says `run` or `file=…`: code that nothing runs rots');
    },
  );
});

/** A block with this code, as if it began at line 10 of a document. */
const block = (code: string): Block => ({ document: 'a.md', line: 10, info: 'run', code });

describe('blocksOf', () => {
  it('finds the ts blocks, with their info, line and text', () => {
    const text = [
      '# A',
      '```ts run',
      'a;',
      '',
      'b;',
      '```',
      '```sh',
      'ts',
      '```',
      '  ~~~~ts file=x',
      '  c;',
      '    d;',
      '~~~',
      '  ~~~~',
      '```typescript',
      '```',
    ].join('\n');
    expect(blocksOf('a.md', text)).toEqual([
      { document: 'a.md', line: 2, info: 'run', code: 'a;\n\nb;\n' },
      { document: 'a.md', line: 10, info: 'file=x', code: 'c;\n  d;\n~~~\n' },
      { document: 'a.md', line: 15, info: '', code: '' },
    ]);
  });

  it('a block that is never closed is an error', () => {
    expect(() => blocksOf('a.md', 'x\n```ts\na')).toThrow('a.md:2: the block is never closed');
  });
});

describe('sourceOf', () => {
  it('is a whole file or a region of it, without markers and shared indentation', () => {
    expect(sourceOf('tools/testing/regions.ts')).toContain('// #region outer');
    expect(sourceOf('tools/testing/regions.ts#inner')).toBe('total += 2;\n');
    expect(sourceOf('tools/testing/regions.ts#outer')).toBe('total += 1;\nif (total > 0) {\n  total += 2;\n}\n');
  });

  it('a region that is not there is an error', () => {
    expect(() => sourceOf('tools/testing/regions.ts#nowhere')).toThrow('no closed region "nowhere"');
  });
});

describe('a run block', { timeout: 60_000 }, () => {
  it.each([
    ['const a = 1 + 1; // => 2'],
    ['[1, 2].map((x) => x * 2); // => [2, 4]'],
    ["console.log('a' + 'b'); // => 'ab'"],
    ['const a: { b?: number } = {}; // => {}\na.b = 3;\na; // => { b: 3 }'],
    ['const sum = [1, 2]\n  .reduce(\n    (a, b) => a + b,\n  ); // => 3'],
    ['await Promise.resolve(7); // => 7'],
    ["JSON.parse('{'); // => throws JSON"],
    ["Promise.reject(new Error('late')); // => throws late"],
    ["import { seeded } from '@lifeline/core';\nseeded(1).int(1); // => 0"],
    ['function f(x: number): number {\n  x + 1; // => 2\n  return x;\n}\nf(1); // => 1'],
  ])('holds: %j', async (code) => {
    await runBlock(block(code));
  });

  it.each([
    ['const a = 1 + 1; // => 3', 'line 11'],
    ["const a = 1;\n\nconsole.log('a'); // => 'b'", 'line 13'],
    ["JSON.parse('1'); // => throws JSON", 'resolved'],
    ["throw new Error('boom');", 'boom'],
    ['const a = 1, b = 2; // => 2', 'a.md:11: "// =>" stands behind no statement'],
    ['// => 2', 'stands behind no statement'],
  ])('fails: %j', async (code, message) => {
    await expect(runBlock(block(code))).rejects.toThrow(message);
  });
});
