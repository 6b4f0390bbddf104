/** The suite over TLS on the loopback interface, on real time: what only sockets show. */
import { readFileSync } from 'node:fs';
import { systemClock } from '@lifeline/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listening } from '../src/http/listen.ts';
import { conformanceCases, reportLine, type Result, runConformance, type Target } from './index.ts';
import { nodeTransport } from './node-transport.ts';
import { createPlane, credentials } from './plane.fixture.ts';

const pem = (name: string): string => readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8');
const server = createPlane(systemClock);
let listening: Listening;

beforeAll(async () => {
  listening = await server.listen({ tls: { certificate: pem('loopback.crt'), key: pem('loopback.key') } });
});

afterAll(async () => {
  await listening.close();
  server[Symbol.dispose]();
});

const results = new Map<string, readonly Result[]>();

async function runOver(protocol: 'h1' | 'h2'): Promise<readonly Result[]> {
  const baseUrl = listening.url;
  using node = nodeTransport({ baseUrl, protocol, ca: pem('loopback.crt') });
  const { transport } = node;
  const target: Target = { transport, encoded: transport, baseUrl, credentials, can: { controllers: true } };
  // A compaction would take from others what they are about to read: in process alone.
  return await runConformance(target, { cases: conformanceCases, parallel: 12 });
}

beforeAll(async () => {
  const [h1, h2] = await Promise.all([runOver('h1'), runOver('h2')]);
  results.set('h1', h1).set('h2', h2);
});

describe.each(['h1', 'h2'])('conformance over %s', (protocol) => {
  for (const { name } of conformanceCases) {
    it(name, ({ skip }) => {
      const result = results.get(protocol)?.find((one) => one.name === name);
      if (result?.outcome === 'skipped') skip(`needs ${result.missing.join(', ')}`);
      if (result?.outcome !== 'passed') expect.fail(result ? reportLine(result) : 'it was not run');
    });
  }
});
