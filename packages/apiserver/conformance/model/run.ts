/**
 * Random requests to two servers, or to one whose answers are to be recorded:
 *
 *     node --conditions=@lifeline/source packages/apiserver/conformance/model/run.ts --url https://127.0.0.1:6443 --token T [--ca FILE] \
 *       (--against URL [--against-token T] [--against-ca FILE] | --recording FILE | --record FILE) [--seeds 40] [--first 0] [--length 30]
 *
 * `--recording` compares with a file that `--record` wrote.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseJson, stringifyJson } from '@lifeline/core';
import { nodeTransport } from '../node-transport.ts';
import type { Target } from '../target.ts';
import { firstDifference } from './difference.ts';
import { operationsOf, runModel } from './model-run.ts';
import type { Observation } from './normalise.ts';
import { decodeRun, encodeRun, type Recording } from './recording.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    url: text,
    token: text,
    ca: text,
    against: text,
    'against-token': text,
    'against-ca': text,
    record: text,
    recording: text,
    seeds: { type: 'string', default: '40' },
    first: { type: 'string', default: '0' },
    length: { type: 'string', default: '30' },
  },
});

function targetOf(url: string | undefined, token: string | undefined, ca: string | undefined): Target {
  if (url === undefined) throw new Error('--url is missing');
  const baseUrl = url.replace(/\/$/, '');
  const { transport } = nodeTransport({
    baseUrl,
    protocol: 'h2',
    ca: ca === undefined ? undefined : readFileSync(ca, 'utf8'),
  });
  return { transport, baseUrl, credentials: { admin: token }, can: { controllers: false } };
}

const first = Number(values.first);
const length = Number(values.length);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => String(first + index));
const target = targetOf(values.url, values.token, values.ca);

if (values.record !== undefined) {
  const runs = await runModel(target, { seeds, length });
  const recording: Recording = {
    server: 'kube-apiserver v1.36.3',
    length,
    runs: Object.fromEntries([...runs].map(([seed, observations]) => [seed, encodeRun(observations)])),
  };
  writeFileSync(values.record, recordingText(recording));
  console.log(`${runs.size} runs recorded`);
} else {
  const [mine, others] = await Promise.all([runModel(target, { seeds, length }), otherRuns()]);
  let parted = 0;
  for (const [seed, other] of others) {
    const difference = firstDifference(other, mine.get(seed) ?? []);
    if (difference === undefined) continue;
    parted++;
    console.log(`seed ${seed}:\n${difference}\n`);
  }
  const requests = seeds.reduce((sum, seed) => sum + operationsOf(seed, length).length, 0);
  console.log(`${others.size - parted} runs alike, ${parted} not (${requests} requests)`);
  process.exitCode = parted === 0 ? 0 : 1;
}
process.exit();

async function otherRuns(): Promise<ReadonlyMap<string, readonly Observation[]>> {
  if (values.recording === undefined) {
    return runModel(targetOf(values.against, values['against-token'], values['against-ca']), { seeds, length });
  }
  const { runs, length: recorded } = parseJson(readFileSync(values.recording, 'utf8')) as unknown as Recording;
  return new Map(
    Object.entries(runs).map(([seed, entries]) => [seed, decodeRun(entries, operationsOf(seed, recorded))]),
  );
}

/** One line an entry: readable, and small in a diff. */
function recordingText({ runs, ...rest }: Recording): string {
  const lines = Object.entries(runs).map(
    ([seed, entries]) =>
      `    ${stringifyJson(seed)}: [\n${entries.map((entry) => `      ${stringifyJson(entry)}`).join(',\n')}\n    ]`,
  );
  const head = Object.entries(rest).map(([key, value]) => `  ${stringifyJson(key)}: ${stringifyJson(value)},\n`);
  return `{\n${head.join('')}  "runs": {\n${lines.join(',\n')}\n  }\n}\n`;
}
