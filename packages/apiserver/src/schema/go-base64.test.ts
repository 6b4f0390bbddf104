import fc from 'fast-check';
import { expect, it } from 'vitest';
import { goBase64 } from './go-base64.ts';

/** Where Go 1.26 stops: asked with `base64.StdEncoding.Decode`. */
it.each([
  ['a', 0],
  ['YQ', 0],
  ['YWJjYQ', 4],
  ['=', 0],
  ['Y=', 1],
  ['YQ=', 3],
  ['YQ=x', 2],
  ['YQ==x', 4],
  ['YWI=x', 4],
  ['YW!j', 2],
  ['YW-j', 2],
  ['ä', 0],
  ['YQ=\n', 4],
])('%j stops at %i', (text, badByte) => {
  expect(goBase64(text)).toEqual({ badByte });
});

it.each([
  ['', ''],
  ['YQ==', 'YQ=='],
  ['YQ=\r\n=\n', 'YQ=='],
  ['Y\nWJj\n', 'YWJj'],
  ['YWJ=', 'YWI='],
])('%j is %j', (text, read) => {
  expect(goBase64(text)).toEqual({ text: read });
});

it('what is written is read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(goBase64(text)).toEqual({ text });
    }),
    { seed: 43, numRuns: 200 },
  );
});
