import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildApp } from './build.ts';
import { scratch } from './testing/scratch.ts';

/** Builds an app with this `main.ts`. */
async function built(main: string, limitMs?: number) {
  using folder = scratch({ 'app/src/main.ts': main, 'app/src/answer.ts': 'export const answer: string = "usage: …";' });
  const result = await buildApp(join(folder.path, 'app'), join(folder.path, 'dist'), limitMs);
  const file = join(folder.path, 'dist/app/main.js');
  const map = existsSync(`${file}.map`)
    ? (JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] })
    : undefined;
  return { ...result, map };
}

describe('build', { timeout: 60_000 }, () => {
  it('makes one file that starts by itself, with our packages and CommonJS dependencies inside, and its source map', async () => {
    const { fault, bytes, startMs, map } = await built(`
      import { seeded } from '@lifeline/core';
      import prom from 'prom-client';
      import { answer } from './answer.ts';
      if (process.argv.includes('--help')) console.log(answer, seeded(1).next(), new prom.Registry().contentType, __dirname);`);
    expect(fault).toBeUndefined();
    expect(bytes).toBeGreaterThan(1000);
    expect(startMs).toBeGreaterThan(0);
    expect(map?.sources).toContain('../../app/src/answer.ts');
    expect(map?.sources.some((source) => source.includes('packages/core/src/random.ts'))).toBe(true);
  });

  it.each([
    {
      name: 'starts too slowly',
      main: 'console.log(1);',
      limitMs: 1,
      fault: 'not under 1',
    },
    { name: 'fails to start', main: "throw new Error('boom');", fault: 'boom' },
    { name: 'says nothing to --help', main: 'export {};', fault: 'prints nothing' },
    {
      name: 'asks for what was left outside',
      main: "const name = 'yaml'; await import(name); console.log(1);",
      fault: "Cannot find package 'yaml'",
    },
    { name: 'imports what is not there', main: "import './nowhere.ts';", fault: 'Could not resolve "./nowhere.ts"' },
  ])('an app that $name is refused', async ({ main, limitMs, fault }) => {
    expect((await built(main, limitMs)).fault).toContain(fault);
  });
});
