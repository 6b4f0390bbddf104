import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDemo } from './demo/demo.ts';
import type { Moment } from './demo/moment.ts';
import { coloured, duration, instant, plain } from './demo/page.ts';
import { digits, verdicts } from './demo/truths.ts';
import { Witness } from './demo/witness.fixture.ts';

/** What a line says of its moment. */
const shown = [
  ...['project', 'plane', 'edge', 'replica', 'shard', 'shards', 'projects', 'key', 'status', 'reason', 'verdict'],
  ...[
    'hostname',
    'route',
    'servers',
    'backend',
    'writes',
    'leases',
    'watermarks',
    'carrying',
    'others',
    'timers',
    'watches',
  ],
];

interface Shown {
  readonly lines: string[];
  readonly moments: readonly Moment[];
}

async function show(seed: string): Promise<Shown> {
  const lines: string[] = [];
  const witness = new Witness();
  await runDemo({
    seed,
    style: plain,
    print: (line) => lines.push(line),
    async seen(moment, planes) {
      const line = lines.at(-1) ?? '';
      expect(line.trimStart()).toMatch(new RegExp(`^${instant(moment.at)}  `));
      if ('tookMs' in moment) expect(line).toMatch(new RegExp(` ${duration(moment.tookMs)}$`));
      for (const part of shown) {
        const values = part in moment ? [moment[part as keyof Moment]].flat() : [];
        for (const value of values) expect(line).toContain(String(value));
      }
      await witness.see(moment, planes);
    },
  });
  return { lines, moments: witness.moments };
}

/** What each moment is. Whether an edge's route is there before something is at another edge depends on the seed: here it is last. */
function inTurns(moments: readonly Moment[]): Moment['what'][] {
  const whats: Moment['what'][] = [];
  for (const { what } of moments) {
    const isEarly = what === 'reads' || what === 'arrives' || what === 'gone';
    const at = isEarly ? whats.findLastIndex((before) => before !== 'routes' && before !== 'serves') + 1 : whats.length;
    whats.splice(at, 0, what);
  }
  return whats;
}

describe('the demo', { timeout: 60_000 }, () => {
  const runs = new Map<string, Promise<Shown>>();
  /** One run of a seed, for all who want to see it. */
  function once(seed: string): Promise<Shown> {
    const run = runs.get(seed) ?? show(seed);
    runs.set(seed, run);
    return run;
  }

  it.each(['demo', '1', '2'])('says what is so, moment by moment: seed %s', async (seed) => {
    const { moments } = await once(seed);
    const ready = ['ready', 'reads', 'reads', 'reads'];
    const serves = ['serves', 'serves'];
    const turns = [...ready, 'routes', 'routes'];
    const arrives = ['arrives', 'arrives', 'arrives'];
    const whats = inTurns(moments);
    const [taken, proven] = [whats.indexOf('takes'), whats.indexOf('unmoved')];
    // Whether the rest of the shards or the edit is first depends on the seed.
    expect([...whats.slice(0, taken), ...whats.slice(taken, proven).toSorted(), ...whats.slice(proven)]).toEqual([
      ...['join', 'member ready', 'member ready', 'replicas start', 'servers start', 'holds', 'holds'],
      ...['create', ...ready, 'create', ...arrives, ...serves, 'agent starts', ...turns],
      ...['create', ...ready, 'create', ...arrives, ...serves, 'untouched'],
      ...['meddle', 'restored', 'agent silent', ...turns, 'agent starts', ...turns, 'rest', 'wrote'],
      ...['kill', 'edit', ...arrives, 'holds', 'takes', 'unmoved'],
      ...['delete', 'gone', 'gone', 'gone', 'gone', ...serves, 'stop', 'stopped'],
    ]);
    const gone = moments.flatMap((moment) => (moment.what === 'gone' ? moment.plane : []));
    expect(gone.toSorted()).toEqual(['edge-1', 'edge-2', 'hub', 'project-a']);
    expect(gone[0]).toBe('hub');
    // The Leases last 10 s and were renewed at most 2.2 s before; whoever finds them run out takes them within 5 s.
    const takeover = moments.findLast(({ what }) => what === 'holds') as Moment & { tookMs: number };
    expect(takeover.tookMs).toBeGreaterThan(7_500);
    expect(takeover.tookMs).toBeLessThan(15_000);
  });

  it('depends on its seed', async () => {
    expect((await once('1')).moments).not.toEqual((await once('2')).moments);
  });

  it('fits 100 columns, with no colour unless asked for', async () => {
    const { lines } = await once('demo');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([]);
    const painted: string[] = [];
    await runDemo({ seed: 'demo', style: coloured, print: (line) => painted.push(line) });
    // eslint-disable-next-line no-control-regex -- these are what is taken off
    expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(lines);
    expect(painted).not.toEqual(lines);
  });

  it('is a command that ends by itself', async () => {
    const script = join(import.meta.dirname, 'demo.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@lifeline/source', script], {
      encoding: 'utf8',
      timeout: 50_000,
    });
    expect([status, stderr]).toEqual([0, '']);
    const { lines } = await once('demo');
    expect(stdout.split('\n').slice(0, lines.length)).toEqual(lines);
    expect(stdout.split('\n').slice(lines.length)).toEqual([
      '',
      expect.stringMatching(/^All of it took \S+ m?s of real time\.$/),
      '',
    ]);
  });
});

describe('what it says about documents', () => {
  it('digits: ours are those that were sent, and JavaScript alone loses one', () => {
    const { sent, ours, plain: javascript } = digits();
    expect(sent).toContain('9007199254740993');
    expect(ours).toBe(sent);
    expect(javascript).toBe('{"observedGeneration":9007199254740992}');
  });

  it('liveness: the annotation counts, and absent is not offline', () => {
    expect(verdicts()).toEqual([
      { of: 'the annotation says Ready', says: 'online' },
      { of: 'the annotation says not Ready', says: 'offline: NotReady' },
      { of: 'the annotation says not Ready, a stale status Ready', says: 'offline: NotReady' },
      { of: 'there is no such connector', says: 'unknown: ConnectorNotFound' },
    ]);
  });
});
