/**
 * What our code may not call or import, and what to use instead. `eslint.config.js` turns this table into rules;
 * `planted-violations.test.ts` plants one of each and sees it rejected.
 */
import type { Linter } from 'eslint';

const wall = 'Wall time comes from a Clock: clock.now() (@lifeline/core, time.ts).';
const monotonic = 'Durations come from a Clock: clock.monotonic() (@lifeline/core, time.ts).';
const wait =
  'Waiting goes through a Clock: clock.sleep(ms, signal) or clock.timer(ms, fire) (@lifeline/core, time.ts).';
const turn = 'Code waits on promises and on a Clock only; an event-loop turn is invisible to the virtual clock.';
const chance = 'Chance comes from a Random: random.next(), .int(), .hex(), .uuid() (@lifeline/core, random.ts).';
const subtle =
  "Hash with createHash from 'node:crypto': crypto.subtle answers from a thread pool, which no virtual clock sees.";
const deadline = 'Deadlines come from a Clock: deadlineAbort(clock, ms, …) (@lifeline/core, abort.ts).';
const link = 'Link signals with linkAbort(…) and dispose it (@lifeline/core, abort.ts).';
const fakeTimers =
  'Use the VirtualClock of @lifeline/core/testing: fake timers patch globals that our code never reads.';
const mocks = 'Pass a double through the interface (Clock, Random, Transport, Files): modules of ours are not mocked.';

/** Globals by name. `performance` and the timers are caught here, and on `globalThis` below. */
const globals = {
  setTimeout: wait,
  setInterval: wait,
  setImmediate: turn,
  performance: monotonic,
};

/** Members, as `object.property`; destructuring them is caught too. */
const members = {
  'Date.now': wall,
  'Math.random': chance,
  'performance.now': monotonic,
  'process.hrtime': monotonic,
  'AbortSignal.timeout': deadline,
  'AbortSignal.any': link,
  'crypto.randomUUID': chance,
  'crypto.randomBytes': chance,
  'crypto.randomInt': chance,
  'crypto.getRandomValues': chance,
  'crypto.subtle': subtle,
  'globalThis.setTimeout': wait,
  'globalThis.setInterval': wait,
  'globalThis.setImmediate': turn,
  'globalThis.performance': monotonic,
  'globalThis.crypto': chance,
  'vi.useFakeTimers': fakeTimers,
  'vi.setSystemTime': fakeTimers,
  'vi.mock': mocks,
  'vi.doMock': mocks,
};

/** Syntax by selector, under a name of ours. */
const syntax = {
  'new Date()': { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: wall },
  'Date()': { selector: "CallExpression[callee.name='Date']", message: wall },
  'import(timers)': { selector: 'ImportExpression[source.value=/^(node:)?timers(.promises)?$/]', message: wait },
  'export *': { selector: 'ExportAllDeclaration', message: 'Name what the module exports: a front door is a list.' },
  './x.js': {
    selector: ':matches(ImportDeclaration, ExportNamedDeclaration, ImportExpression)[source.value=/^[.].*[.]js$/]',
    message: 'Imports end in .ts: every script runs from source.',
  },
};

interface ModuleBan {
  readonly name: string;
  readonly message: string;
  readonly importNames?: readonly string[];
  readonly allowImportNames?: readonly string[];
}

/** Each module with and without the `node:` prefix. */
const both = (name: string, ban: Omit<ModuleBan, 'name'>): ModuleBan[] => [
  { name, ...ban },
  { name: `node:${name}`, ...ban },
];

const modules: readonly ModuleBan[] = [
  ...both('timers', { message: wait }),
  ...both('timers/promises', { message: wait }),
  ...both('perf_hooks', { importNames: ['performance'], message: monotonic }),
  ...both('crypto', { importNames: ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'], message: chance }),
  ...both('crypto', { importNames: ['subtle', 'webcrypto'], message: subtle }),
];

const pure = 'packages/core is pure: its own files, zod and the hashes of node:crypto, nothing else.';

/** The same for `packages/core`, which may import almost nothing. */
const pureModules: readonly ModuleBan[] = [
  ...modules.filter(({ name }) => name !== 'node:crypto'),
  { name: 'node:crypto', allowImportNames: ['createHash', 'createHmac', 'hash', 'Hash', 'BinaryLike'], message: pure },
];
const pureImports = [{ regex: String.raw`^(?!\.{1,2}/|zod$|node:crypto$)`, message: pure }];
const pureSyntax = [{ selector: 'ImportExpression:not([source.value=/^[.]/])', message: pure }];

/** Whatever the tables above ban, by their keys. */
export type Restricted = keyof typeof globals | keyof typeof members | keyof typeof syntax;

export interface RestrictionOptions {
  /** What these files are the one home of. */
  readonly allow?: readonly Restricted[];
  /** Whether they may import only what `packages/core` may. */
  readonly pure?: boolean;
}

/** The restriction rules of a set of files. ESLint does not merge options: the last matching set holds alone, and is whole. */
export function restrictions({ allow = [], pure: onlyPure = false }: RestrictionOptions = {}): Linter.RulesRecord {
  const banned = <T>(table: Record<string, T>): [string, T][] =>
    Object.entries(table).filter(([name]) => !allow.some((allowed) => allowed === name));
  const bannedMembers = banned(members).map(([name, message]) => {
    const [object, property] = name.split('.');
    return { object, property, message };
  });
  return {
    'no-restricted-globals': ['error', ...banned(globals).map(([name, message]) => ({ name, message }))],
    'no-restricted-properties': ['error', ...bannedMembers],
    'no-restricted-syntax': ['error', ...banned(syntax).map(([, ban]) => ban), ...(onlyPure ? pureSyntax : [])],
    'no-restricted-imports': [
      'error',
      { paths: onlyPure ? pureModules : modules, patterns: onlyPure ? pureImports : [] },
    ],
  };
}
