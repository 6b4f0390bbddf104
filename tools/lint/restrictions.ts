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

const alone = 'A global is named alone: in front of it, or under another name, no ban sees it.';
const named = 'Import the names you need: under the name of the whole module, or of a late import, no ban sees them.';

/** Globals by name. */
const globals = {
  globalThis: alone,
  global: alone,
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
  'process.uptime': monotonic,
  'process.getBuiltinModule': named,
  'AbortSignal.timeout': deadline,
  'AbortSignal.any': link,
  'crypto.randomUUID': chance,
  'crypto.randomBytes': chance,
  'crypto.randomInt': chance,
  'crypto.randomFill': chance,
  'crypto.randomFillSync': chance,
  'crypto.getRandomValues': chance,
  'crypto.subtle': subtle,
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
  'import(crypto)': {
    selector: 'ImportExpression[source.value=/^(node:)?(crypto|perf_hooks|process)$/]',
    message: named,
  },
  'const D = Date': {
    selector: ['VariableDeclarator[id.name] > .init', 'Property > .value', 'CallExpression > .arguments', '.superClass']
      .map((place) => `${place}[name=/^(Date|Math|AbortSignal|crypto)$/]`)
      .join(', '),
    message: alone,
  },
  'export *': { selector: 'ExportAllDeclaration', message: 'Name what the module exports: a front door is a list.' },
  './x.js': {
    selector:
      ':matches(ImportDeclaration, ExportNamedDeclaration, ImportExpression)[source.value=/^[.](?!.*[.](ts|json)$)/]',
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
  ...both('process', { message: named }),
  ...both('perf_hooks', { importNames: ['performance'], message: monotonic }),
  ...both('perf_hooks', { importNames: ['default'], message: named }),
  ...both('crypto', {
    importNames: ['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'],
    message: chance,
  }),
  ...both('crypto', { importNames: ['default'], message: named }),
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
