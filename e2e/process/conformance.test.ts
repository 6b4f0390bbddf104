/** The suite that holds the in-process API server to a real one, on a real one. */
import { readFileSync } from 'node:fs';
import {
  conformanceCases,
  nodeTransport,
  reportLine,
  type Result,
  runConformance,
  type Target,
  type TestCase,
  untilCompacted,
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
  const server = { transport, encoded: transport, baseUrl, credentials };
  const compact = (): Promise<void> => untilCompacted(server);
  const target: Target = { ...server, can: { controllers: true, compact, restart } };
  const restarts = ({ needs }: TestCase): boolean => needs.includes('restart');
  const at = (parallel: number, cases: readonly TestCase[]) => runConformance(target, { cases, parallel });
  // A restart would take from others what they are in the middle of.
  const all = [
    ...(await at(
      8,
      conformanceCases.filter((one) => !restarts(one)),
    )),
    ...(await at(1, conformanceCases.filter(restarts))),
  ];
  results = new Map(all.map((result) => [result.name, result]));
}, 300_000);

async function restart(): Promise<void> {
  const name = `kube-apiserver-${spare}`;
  await act('kill', name);
  await act('start', name);
}

describe('conformance of a real API server', () => {
  for (const { name } of conformanceCases) {
    it(name, () => {
      const result = results.get(name);
      if (result?.outcome !== 'passed') expect.fail(result ? reportLine(result) : 'it was not run');
    });
  }
});
