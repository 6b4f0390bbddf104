import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { programIn } from './install-program.ts';

describe('programIn', () => {
  const bytes = new TextEncoder().encode('#!/bin/sh\n');
  const archive = zipSync({ helm: { helm: bytes } });
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  it('takes the program out', () => {
    expect(programIn(archive, { version: '1', entry: 'helm/helm', sha256 })).toEqual(bytes);
  });

  it('takes no other bytes than those it knows', () => {
    const other = {
      version: '1',
      entry: 'helm/helm',
      sha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    };
    expect(() => programIn(archive, other)).toThrow(`has SHA-256 ${sha256}, not ${other.sha256}`);
  });

  it('says when it is not there', () => {
    expect(() => programIn(archive, { version: '1', entry: 'helm', sha256 })).toThrow('holds no helm');
  });
});
