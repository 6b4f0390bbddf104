/** `npm run planes` as its user sees it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Planes, runPlanes } from './planes.fixture.ts';

const policy = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: settings, namespace: default}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: settings}]
  placement: {clusterAffinity: {labelSelector: {matchLabels: {lifeline.dev/role: edge}}}}
`;

const document = await readFile(join(import.meta.dirname, '../../../docs/planes.md'), 'utf8');
/** The manifests that the document applies under `## The main job`, in order. */
const manifests = (document.split('## The main job')[1] ?? '').matchAll(/<<'Y'\n(.*?)\nY\n/gs);

describe('npm run planes', () => {
  it('brings up planes, Karmada and apps; stopped, it leaves kubeconfigs and logs and nothing that runs', async () => {
    const planes = await Planes.start('--projects', '2', '--edges', '2', '--cells', '1', '--apps');
    const ok = async (plane: string, command: string, stdin?: string): Promise<string> => {
      const ran = await planes.kubectl(plane, command.split(' '), stdin === undefined ? {} : { stdin });
      expect(ran, command).toMatchObject({ code: 0 });
      return ran.stdout.trim();
    };
    const apps = JSON.parse(await readFile(join(planes.dir, 'apps.json'), 'utf8')) as Record<string, { pid: number }>;
    try {
      expect(await ok('hub', 'get clusters --no-headers -o custom-columns=N:.metadata.name')).toBe(
        'cell-1\nedge-1\nedge-2',
      );
      await ok('hub', 'wait cluster --all --for=condition=Ready --timeout=30s');
      await ok('hub', 'apply -f -', policy);
      await ok('hub', 'create configmap settings --from-literal=colour=blue');
      for (const edge of ['edge-1', 'edge-2']) {
        await ok(edge, 'wait configmap/settings --for=create --timeout=30s');
        expect(await ok(edge, 'get configmap settings -o jsonpath={.data.colour}')).toBe('blue');
      }
      await ok('hub', 'annotate configmap settings note=flipped');
      await ok('edge-2', 'wait configmap/settings --for=jsonpath={.metadata.annotations.note}=flipped --timeout=30s');
      expect((await planes.kubectl('cell-1', ['get', 'configmap', 'settings'])).stderr).toContain('not found');
      await ok('project-b', 'create configmap mirrored');
      await ok('project-b', 'label configmap mirrored example.lifeline.dev/mirror=true');
      await ok('hub', 'wait configmap -n mirrors -l example.lifeline.dev/copy=true --for=create --timeout=30s');
      const [connector, toTheEdges] = Array.from(manifests, ([, manifest]) => manifest);
      await ok('project-a', 'apply -f -', connector);
      await ok('hub', 'apply -f -', toTheEdges);
      await ok('project-a', 'wait lease/office --for=create --timeout=30s');
      const ready = '--for=jsonpath={.status.conditions[?(@.type=="Ready")].status}';
      await ok('project-a', `wait connector/office ${ready}=False --timeout=30s`);
      await ok('project-a', 'patch lease office --type=merge -p {"spec":{"renewTime":"2026-01-01T00:00:00.000000Z"}}');
      await ok('project-a', `wait connector/office ${ready}=True --timeout=10s`);
      const status = (plane: string): Promise<string> =>
        ok(
          plane,
          'get connectors -A -o jsonpath={.items[*].metadata.annotations.networking\\.datumapis\\.com/upstream-status}',
        );
      while (!(await status('edge-1')).includes('"ConnectorReady"')) await ok('edge-1', 'get connectors -A');
      expect(await status('edge-1')).toBe(await status('hub'));
      const second = await runPlanes('--dir', planes.dir);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by process') });
    } finally {
      expect(await planes.stop()).toBe(0);
    }
    for (const { pid } of Object.values(apps)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect([await planes.has('ready'), await planes.has('pid'), await planes.has('apps.json')]).toEqual([
      false,
      false,
      false,
    ]);
    await planes[Symbol.asyncDispose]();
  }, 120_000);

  it.each([
    [[], '--dir is needed'],
    [['--dir='], '--dir is needed'],
    [['--dir', 'x', '--projects', 'many'], '--projects takes a whole number from 1, not "many"'],
    [['--dir', 'x', '--no-such-flag'], "Unknown option '--no-such-flag'"],
    [['--dir', 'x', 'word'], '"word" is not understood'],
  ])('%j: says what is wrong', async (args, message) => {
    expect(await runPlanes(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
