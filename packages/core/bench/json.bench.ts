/**
 * Reading and writing lists losslessly, beside `JSON` itself and the two best known libraries for it.
 *
 * Run: `node --conditions=@lifeline/source packages/core/bench/json.bench.ts`
 */
import { createRequire } from 'node:module';
import { canonicalJson, deepEqual, type JsonValue, parseJson, stringifyJson, systemClock } from '../src/index.ts';
import { parse as losslessParse, stringify as losslessStringify } from 'lossless-json';
import { connectors, leases, pods } from './kubernetes-lists.ts';

// No types of its own.
const bigint = createRequire(import.meta.url)('json-bigint') as (
  options: object,
) => Pick<typeof JSON, 'parse' | 'stringify'>;
const jsonBigint = bigint({ useNativeBigInt: true });

/** What one would write by hand on Node 24: a reviver that sees each number's source. */
const parseWithSource = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;
const reviver = (text: string): unknown =>
  parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? { source } : value,
  );

const warmUps = 8;
const rounds = 25;

/**
 * Median milliseconds of each candidate. They take turns, so that a slow moment of the machine meets them all. No forced collection in
 * between: it throws away compiled code, which a long-lived process keeps.
 */
function medians(candidates: readonly (() => unknown)[]): number[] {
  const times: number[][] = candidates.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) {
      const before = systemClock.monotonic();
      candidate();
      if (round >= 0) times[index]?.push(systemClock.monotonic() - before);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[rounds >> 1] ?? NaN);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line), ''].join('\n'));
}

/** Each time beside the first. */
const beside = ([base = NaN, ...others]: readonly number[]): string[] => [
  `${base.toFixed(2)} ms`,
  ...others.map((ms) => `${ms.toFixed(2)} ms (${(ms / base).toFixed(2)}×)`),
];
/** Text that was put together piece by piece is laid out when it is first read. */
const laidOut = (text = ''): number => text.charCodeAt(1);
const sizeOf = (text: string): string => `${(text.length / 1e6).toFixed(2)} MB`;

const lists: [string, string][] = [
  ['500 Pods', pods()],
  ['1,000 Leases', leases()],
  ['1,000 Connectors', connectors(0)],
  ['1,000 Connectors, an int64 counter each', connectors(1)],
  ['1,000 Connectors, 8 int64 counters each', connectors(8)],
];

console.log(`Node ${process.versions.node}, median of ${rounds} rounds after ${warmUps} to warm up.\n\nReading:\n`);
table(
  ['list', 'size', 'JSON.parse', 'parseJson', 'JSON.parse with a reviver', 'lossless-json', 'json-bigint'],
  lists.map(([name, text]) => {
    const candidates: ((text: string) => unknown)[] = [JSON.parse, parseJson, reviver, losslessParse, jsonBigint.parse];
    return [name, sizeOf(text), ...beside(medians(candidates.map((parse) => () => parse(text))))];
  }),
);

console.log('The same text again after reading and writing:\n');
const awkward = '{"int64":9007199254740993,"fraction":1.0,"exponent":1e21,"zero":-0,"__proto__":{"443":1,"80":2}}';
const sorted = awkward.replace('"443":1,"80":2', '"80":2,"443":1');
const survives = (again: (text: string) => string | undefined): string => {
  try {
    // JavaScript objects list integer-like keys first and in numeric order, in every library.
    return [awkward, sorted].includes(again(awkward) ?? '') ? 'yes' : 'no';
  } catch {
    return 'fails';
  }
};
table(
  ['', 'JSON', 'ours', 'lossless-json', 'json-bigint'],
  [
    [
      `\`${awkward}\``,
      survives((text) => JSON.stringify(JSON.parse(text))),
      survives((text) => stringifyJson(parseJson(text))),
      survives((text) => losslessStringify(losslessParse(text))),
      survives((text) => jsonBigint.stringify(jsonBigint.parse(text))),
    ],
  ],
);

console.log('Writing:\n');
table(
  ['list', 'JSON.stringify', 'stringifyJson', 'lossless-json', 'json-bigint'],
  lists.map(([name, text]) => {
    const value = parseJson(text);
    const lossless = losslessParse(text);
    const bigints = jsonBigint.parse(text) as unknown;
    const writers = [
      () => JSON.stringify(value),
      () => stringifyJson(value),
      () => losslessStringify(lossless),
      () => jsonBigint.stringify(bigints),
    ];
    return [name, ...beside(medians(writers.map((write) => () => laidOut(write()))))];
  }),
);

console.log('Canonical text of every object in a list. Custom resources arrive in order, Pods and Leases do not:\n');
table(
  ['list', 'JSON.stringify', 'canonicalJson'],
  lists.map(([name, text]) => {
    const { items } = parseJson(text) as unknown as { items: readonly JsonValue[] };
    const each = (write: (value: JsonValue) => string) => () => items.map((item) => laidOut(write(item)));
    return [name, ...beside(medians([each(JSON.stringify), each(canonicalJson)]))];
  }),
);

console.log('Comparing two equal lists:\n');
table(
  ['list', 'JSON.stringify twice', 'deepEqual'],
  lists.map(([name, text]) => {
    const [a, b] = [parseJson(text), parseJson(text)] as [JsonValue, JsonValue];
    return [name, ...beside(medians([() => JSON.stringify(a) === JSON.stringify(b), () => deepEqual(a, b)]))];
  }),
);
