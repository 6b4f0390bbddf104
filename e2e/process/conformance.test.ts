/** The suite that holds the in-process API server to a real one, on a real one. */
import { readFileSync } from 'node:fs';
import {
  conformanceCases,
  reportLine,
  type Result,
  runConformance,
  type Target,
} from '@lifeline/apiserver/conformance';
import { systemClock, type Transport } from '@lifeline/core';
import { createTransportFactory, loadEndpoint, systemFiles } from '@lifeline/k8s';
import { beforeAll, describe, expect, it } from 'vitest';
import { act } from './harness/control.ts';
import { file, kubeconfigOf, spare } from './harness/names.ts';

const token = (who: string): string => readFileSync(file(spare, `${who}.token`), 'utf8');

let results: ReadonlyMap<string, Result>;

/** As it is asked: with the credentials of the request, and no others. */
async function bareTransport(): Promise<{ readonly transport: Transport; readonly baseUrl: string }> {
  const { signal } = new AbortController();
  const endpoint = await loadEndpoint({ files: systemFiles, variables: {}, signal }, kubeconfigOf(spare));
  const { credentials: _, ...bare } = endpoint;
  const factory = createTransportFactory({ clock: systemClock, files: systemFiles, userAgent: 'conformance' });
  return { transport: factory(bare, signal), baseUrl: endpoint.server };
}

beforeAll(async () => {
  await act('spare');
  const { transport, baseUrl } = await bareTransport();
  const credentials = { admin: token('admin'), plain: token('plain') };
  const target: Target = { transport, encoded: transport, baseUrl, credentials, can: { controllers: true } };
  const all = await runConformance(target, { cases: conformanceCases, parallel: 8 });
  results = new Map(all.map((result) => [result.name, result]));
}, 300_000);

describe('conformance of a real API server', () => {
  for (const { name } of conformanceCases) {
    it(name, ({ skip }) => {
      const result = results.get(name);
      if (result?.outcome === 'skipped') skip(`needs ${result.missing.join(', ')}`);
      if (result?.outcome !== 'passed') expect.fail(result ? reportLine(result) : 'it was not run');
    });
  }
});
