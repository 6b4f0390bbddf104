/** The suite that holds the in-process API server to a real one, on a real one. */
import { readFileSync } from 'node:fs';
import {
  conformanceCases,
  nodeTransport,
  reportLine,
  type Result,
  runConformance,
  type Target,
} from '@lifeline/apiserver/conformance';
import { loadEndpoint, systemFiles } from '@lifeline/k8s';
import { beforeAll, describe, expect, it } from 'vitest';
import { act } from './harness/control.ts';
import { file, kubeconfigOf, spare } from './harness/names.ts';

const token = (who: string): string => readFileSync(file(spare, `${who}.token`), 'utf8');

const { signal } = new AbortController();

let results: ReadonlyMap<string, Result>;

beforeAll(async () => {
  await act('spare');
  const { server: baseUrl } = await loadEndpoint({ files: systemFiles, variables: {}, signal }, kubeconfigOf(spare));
  using node = nodeTransport({ baseUrl, protocol: 'h1', ca: readFileSync(file(spare, 'ca.crt'), 'utf8') });
  const { transport } = node;
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
