import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, loadConfig, type LoadedConfig } from './config.ts';
import { type App, defineApp } from './define-app.ts';
import { filesOf } from '../testing/files.ts';

const app = defineApp({
  name: 'sample',
  description: 'shows settings',
  config: z.strictObject({
    hub: z.strictObject({
      kubeconfig: z.string().optional().describe('kubeconfig files'),
      apiToken: z.string().default('none').meta({ secret: true, description: 'token' }),
    }),
    workers: z.number().int().min(1).max(64).default(4).describe('requests at once'),
    dryRun: z.boolean().default(false).describe('write nothing'),
    classes: z.array(z.string()).default(['a']).describe('gateway classes'),
    metrics: z.strictObject({ port: z.number().default(8080).describe('port') }),
    name: z.string().describe('required one'),
  }),
  start: async () => undefined,
});

const { signal } = new AbortController();

const appOf = (schema: z.ZodType): App =>
  defineApp({ name: 'sample', description: '', config: schema, start: async () => undefined });

const load = (
  argv: readonly string[],
  variables: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<LoadedConfig<unknown>> => loadConfig(app, { argv, variables, files: filesOf(files), signal });

const configOf = async (...args: Parameters<typeof load>): Promise<unknown> => {
  const loaded = await load(...args);
  return loaded.ask === 'run' ? loaded.config : loaded.text;
};

const problemsOf = async (...args: Parameters<typeof load>): Promise<readonly string[]> => {
  const error = await load(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems;
};

describe('loadConfig', () => {
  it('takes the flag over the variable over the file over the default', async () => {
    const file = { '/c.yaml': 'workers: 2\nname: file\nhub: { kubeconfig: /file }\nclasses: [x, y]\n' };
    expect(await configOf(['--config', '/c.yaml'], {}, file)).toMatchObject({
      workers: 2,
      name: 'file',
      classes: ['x', 'y'],
    });
    expect(await configOf(['--config=/c.yaml'], { LIFELINE_WORKERS: '3' }, file)).toMatchObject({ workers: 3 });
    expect(
      await configOf(['--workers', '5'], { LIFELINE_WORKERS: '3', LIFELINE_CONFIG: '/c.yaml' }, file),
    ).toMatchObject({
      workers: 5,
      hub: { kubeconfig: '/file', apiToken: 'none' },
      metrics: { port: 8080 },
      dryRun: false,
    });
  });

  it.each([
    { argv: ['--name', 'n', '--dry-run'], want: { dryRun: true } },
    { argv: ['--name', 'n', '--dry-run', 'false'], want: { dryRun: false } },
    { argv: ['--dry-run', '--name', 'n'], want: { dryRun: true, name: 'n' } },
    { argv: ['--name=n=m', '--hub-kubeconfig='], want: { name: 'n=m', hub: { kubeconfig: '' } } },
    { argv: ['--name', 'n', '--classes', 'p,q', '--classes=r'], want: { classes: ['p', 'q', 'r'] } },
  ])('reads $argv', async ({ argv, want }) => {
    expect(await configOf(argv)).toMatchObject(want);
  });

  it.each([
    {
      name: 'flag, nearest',
      argv: ['--name', 'n', '--worker=3'],
      problem: 'unknown flag --worker: did you mean --workers?',
    },
    { name: 'flag, nothing near', argv: ['--name', 'n', '--zzzzzz=3'], problem: 'unknown flag --zzzzzz (see --help)' },
    {
      name: 'no number',
      argv: ['--name', 'n', '--workers', 'many'],
      problem: 'workers (flag --workers): "many" is no number',
    },
    {
      name: 'out of range',
      argv: ['--name', 'n', '--workers=0'],
      problem: /^workers \(flag --workers\): .*set --workers, LIFELINE_WORKERS or workers in the file$/,
    },
    { name: 'missing value', argv: ['--name'], problem: 'flag --name needs a value: --name=VALUE' },
    { name: 'required', argv: [], problem: 'name is required: set --name, LIFELINE_NAME or name in the file' },
    { name: 'no such file', argv: ['--name', 'n', '--config', '/none'], problem: /^--config \/none: .*no such file/ },
  ])('says what to do: $name', async ({ argv, problem }) => {
    const problems = await problemsOf(argv);
    expect(problems).toContainEqual(typeof problem === 'string' ? problem : (expect.stringMatching(problem) as string));
  });

  it.each([
    {
      yaml: 'name: n\nhub: { kubeconfg: /x }\n',
      problem: 'unknown key hub.kubeconfg: did you mean hub.kubeconfig? in file /c.yaml',
    },
    { yaml: 'name: n\nhub: 7\n', problem: 'hub (file /c.yaml): must be a mapping' },
    { yaml: 'name: n\nname: m\n', problem: /^--config \/c.yaml: Map keys must be unique/ },
    { yaml: '- a\n', problem: '--config /c.yaml: the file must hold a mapping of settings' },
    { yaml: 'name: 7\n', problem: /^name \(file \/c.yaml\): / },
    { yaml: 'a: [\n', problem: /^--config \/c.yaml: / },
  ])('refuses the file $yaml', async ({ yaml, problem }) => {
    const problems = await problemsOf(['--config', '/c.yaml'], {}, { '/c.yaml': yaml });
    expect(problems).toContainEqual(typeof problem === 'string' ? problem : (expect.stringMatching(problem) as string));
  });

  it('reports every problem at once', async () => {
    expect(await problemsOf(['--wrkers=1', '--workers=0'], { LIFELINE_NAMES: 'x' })).toHaveLength(4);
  });

  it('refuses an unknown variable of ours and leaves service links alone', async () => {
    expect(await problemsOf(['--name', 'n'], { LIFELINE_WORKER: '1' })).toEqual([
      'unknown variable LIFELINE_WORKER: did you mean LIFELINE_WORKERS?',
    ]);
    const links = {
      LIFELINE_HUB_REPLICATOR_SERVICE_HOST: '10.0.0.1',
      LIFELINE_HUB_REPLICATOR_SERVICE_PORT_HTTP: '80',
      LIFELINE_METRICS_PORT: 'tcp://10.0.0.1:8080',
      LIFELINE_METRICS_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    expect(await configOf(['--name', 'n'], links)).toMatchObject({ metrics: { port: 8080 } });
  });

  it('masks secrets in --print-config and in messages', async () => {
    const printed = await load(['--name', 'n', '--hub-api-token=hush', '--print-config']);
    expect(printed.ask).toBe('print');
    expect(JSON.stringify(printed)).not.toContain('hush');
    expect(JSON.stringify(printed)).toContain('***');
  });

  const tls = z.strictObject({ cert: z.string(), port: z.number().default(443) });
  it.each([
    { name: 'left out', group: tls.optional(), argv: [], want: {} },
    { name: 'given', group: tls.optional(), argv: ['--group-cert=c'], want: { group: { cert: 'c', port: 443 } } },
    { name: 'null by default', group: tls.nullable().default(null), argv: [], want: { group: null } },
    {
      name: 'with a default of its own',
      group: tls.default({ cert: 'd', port: 1 }),
      argv: [],
      want: { group: { cert: 'd', port: 1 } },
    },
  ])('a group may be $name', async ({ group, argv, want }) => {
    const grouped = appOf(z.strictObject({ group }));
    const loaded = await loadConfig(grouped, { argv, variables: {}, files: filesOf({}), signal });
    expect(loaded).toEqual({ ask: 'run', config: want });
  });

  it('a choice among texts is given as text', async () => {
    const choosing = appOf(z.strictObject({ mode: z.union([z.literal('a'), z.literal('b')]) }));
    const loaded = await loadConfig(choosing, { argv: ['--mode=b'], variables: {}, files: filesOf({}), signal });
    expect(loaded).toEqual({ ask: 'run', config: { mode: 'b' } });
  });

  const secret = z.string().meta({ secret: true });
  it.each([
    { name: 'a list of objects', peers: z.array(z.strictObject({ secret })), value: '[{"secret":"hush"}]' },
    { name: 'a record', peers: z.record(z.string(), secret), value: '{"a":"hush"}' },
    { name: 'a choice', peers: z.union([z.array(secret), z.strictObject({ secret })]), value: '{"secret":"hush"}' },
    { name: 'a secret group', peers: z.strictObject({ a: z.string() }).meta({ secret: true }), value: '{"a":"hush"}' },
  ])('masks secrets in $name', async ({ peers, value }) => {
    const files = filesOf({ '/c': `peers: ${value}` });
    const printed = await loadConfig(appOf(z.strictObject({ peers })), {
      argv: ['--config=/c', '--print-config'],
      variables: {},
      files,
      signal,
    });
    expect(printed).toMatchObject({ ask: 'print', text: expect.stringContaining('***') as string });
    expect(JSON.stringify(printed)).not.toContain('hush');
  });

  it('describes every setting in --help', async () => {
    const help = (await configOf(['--help'])) as string;
    for (const text of [
      '--hub-kubeconfig',
      '--workers=NUMBER',
      '(default 4)',
      '--name=STRING',
      '(required)',
      '--print-config',
    ])
      expect(help).toContain(text);
  });
});
