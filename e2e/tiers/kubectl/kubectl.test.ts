/** Everything that `kubectl` is used for, against a project plane. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KubectlOptions, Planes, type Ran } from './planes.fixture.ts';

let planes: Planes;
/** Both called `shown`: for whoever only looks. What a test changes it makes itself. */
beforeAll(async () => {
  planes = await Planes.start('--projects', '1', '--edges', '1');
  await ok('create -f -', { stdin: connector('shown', { labels: { app: 'shown' } }) });
  await ok('create configmap shown --from-literal=a=1 --from-literal=b=2');
}, 120_000);
afterAll(async () => await planes?.[Symbol.asyncDispose]());

/** Runs it, expects it to succeed, and gives what it printed. */
async function ok(command: string, options?: KubectlOptions): Promise<string> {
  const ran = await run(command, options);
  expect(ran, command).toMatchObject({ code: 0 });
  return ran.stdout.trim();
}

/** Words are split at spaces, quotes kept together: `annotate cm a 'k=a b'`. */
const run = (command: string, options?: KubectlOptions): Promise<Ran> =>
  planes.kubectl(
    'project-a',
    [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
    options,
  );

const connector = (name: string, extra: object = {}): string =>
  JSON.stringify({
    apiVersion: 'networking.datumapis.com/v1alpha1',
    kind: 'Connector',
    metadata: { name, namespace: 'default', ...extra },
    spec: { connectorClassName: 'datum-connect' },
  });

const configMap = (name: string, data: Record<string, string>, extra: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...extra }, data });

async function makeReady(name: string): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Live', message: '', lastTransitionTime }];
  const body = JSON.stringify({ status: { conditions } });
  await ok(`patch connector ${name} --subresource=status --type=merge -p '${body}'`);
}

describe('create', () => {
  it.each([
    ['configmap made --from-literal=a=1', 'get configmap made -o jsonpath={.data.a}', '1'],
    ['secret generic made --from-literal=a=1', 'get secret made -o jsonpath={.data.a}', 'MQ=='],
    ['namespace made', 'get namespace made -o jsonpath={.status.phase}', 'Active'],
    ['serviceaccount made', 'get serviceaccount made -o name', 'serviceaccount/made'],
    ['service clusterip made --tcp=80:8080', 'get service made -o jsonpath={.spec.ports[0].targetPort}', '8080'],
    ['role made --verb=get --resource=configmaps', 'get role made -o jsonpath={.rules[0].verbs[0]}', 'get'],
    ['rolebinding made --role=made --user=u', 'get rolebinding made -o jsonpath={.roleRef.name}', 'made'],
    [
      'clusterrole made --verb=get --resource=namespaces',
      'get clusterrole made -o jsonpath={.rules[0].resources[0]}',
      'namespaces',
    ],
    [
      'clusterrolebinding made --clusterrole=made --group=g',
      'get clusterrolebinding made -o jsonpath={.subjects[0].name}',
      'g',
    ],
  ])('%s', async (what, look, expected) => {
    expect(await ok(`create ${what}`)).toMatch(/made created$/);
    expect(await ok(look)).toBe(expected);
  });

  it('a custom resource, and says which field it does not know', async () => {
    expect(await ok('create -f -', { stdin: connector('made') })).toBe(
      'connector.networking.datumapis.com/made created',
    );
    const wrong = connector('wrong').replace('"spec":{', '"spec":{"colour":"red",');
    const refused = await run('create -f -', { stdin: wrong });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('unknown field "spec.colour"');
    const existing = await run('create -f -', { stdin: connector('made') });
    expect(existing.stderr).toContain('connectors.networking.datumapis.com "made" already exists');
  });

  it('--dry-run=server changes nothing', async () => {
    expect(await ok('create configmap dry --dry-run=server')).toBe('configmap/dry created (server dry run)');
    expect((await run('get configmap dry')).stderr).toContain('configmaps "dry" not found');
  });

  it('into a namespace that is not there', async () => {
    const { code, stderr } = await run('create configmap a -n nowhere');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('namespaces "nowhere" not found') });
  });
});

describe('get', () => {
  it('tables, wide and with labels', async () => {
    expect(await ok('get connectors -l app=shown')).toMatch(/^NAME +CLASS +READY +AGE\nshown +datum-connect +\d+s$/);
    expect(await ok('get connectors -l app=shown -o wide')).toMatch(/^NAME +CLASS +READY +REASON +AGE\n/);
    expect(await ok('get connectors shown --show-labels')).toMatch(/LABELS\n.*app=shown$/);
    expect(await ok('get connectors -A -l app=shown')).toMatch(/^NAMESPACE +NAME .*\ndefault +shown /);
    expect(await ok('get namespaces')).toMatch(/^NAME +STATUS +AGE\n(.*\n)*default +Active +\d+[smhd]/);
    expect(await ok('get configmap shown')).toMatch(/^NAME +DATA +AGE\nshown +2 +\d+s$/);
  });

  it('-o yaml, json, jsonpath, name, custom-columns', async () => {
    expect(await ok('get connector shown -o yaml')).toContain('connectorClassName: datum-connect');
    expect(JSON.parse(await ok('get connector shown -o json'))).toMatchObject({
      kind: 'Connector',
      metadata: { generation: 1 },
    });
    expect(await ok('get connector shown -o jsonpath={.metadata.name}')).toBe('shown');
    expect(await ok('get connector/shown configmap/shown -o name')).toBe(
      'connector.networking.datumapis.com/shown\nconfigmap/shown',
    );
    expect(await ok('get connector shown -o custom-columns=N:.metadata.name')).toBe('N\nshown');
  });

  it('--field-selector, --chunk-size, --sort-by', async () => {
    expect(await ok('get connectors --field-selector metadata.name=shown -o name')).toBe(
      'connector.networking.datumapis.com/shown',
    );
    for (const name of ['a', 'b', 'c']) await ok(`create configmap chunk-${name}`);
    expect((await ok('get configmaps --chunk-size=1 -o name')).split('\n').length).toBeGreaterThan(3);
    expect((await run('get connectors --field-selector spec.nothing=1')).stderr).toContain('field label not supported');
    expect(await ok('get configmaps --sort-by=.metadata.name -o name')).toContain('configmap/shown');
  });

  it('--raw', async () => {
    expect(await ok('get --raw /readyz')).toBe('ok');
    expect(JSON.parse(await ok('get --raw /version'))).toMatchObject({ major: '1', minor: '36' });
  });

  it('-w, as a table', async () => {
    await ok('create configmap watched --from-literal=a=1');
    await using lines = planes.follow('project-a', ['get', 'configmap', 'watched', '-w']);
    expect((await lines.next()).value).toMatch(/^NAME/);
    expect((await lines.next()).value).toMatch(/^watched +1 /);
    await ok('patch configmap watched --type=merge -p {"data":{"b":"2"}}');
    expect((await lines.next()).value).toMatch(/^watched +2 /);
  });
});

describe('describe', () => {
  beforeAll(async () => {
    await ok('create service clusterip described --tcp=80:8080');
    await ok('create role described --verb=get --resource=configmaps');
  });

  it.each([
    ['connector shown', 'Connector Class Name:  datum-connect'],
    ['configmap shown', 'Data\n===='],
    ['namespace default', 'Status:       Active'],
    ['service described', 'Type:                     ClusterIP'],
    ['role described', 'PolicyRule:'],
  ])('%s', async (what, text) => {
    expect(await ok(`describe ${what}`)).toContain(text);
  });
});

describe('apply', () => {
  it('client side: created, unchanged, configured; what is left out goes, what others set stays', async () => {
    const apply = (data: Record<string, string>): Promise<string> =>
      ok('apply -f -', { stdin: configMap('applied', data) });
    expect(await apply({ a: '1', b: '2' })).toBe('configmap/applied created');
    expect(await apply({ a: '1', b: '2' })).toBe('configmap/applied unchanged');
    await ok('patch configmap applied --type=merge -p {"data":{"c":"3"}}');
    expect(await apply({ a: '4' })).toBe('configmap/applied configured');
    expect(JSON.parse(await ok('get configmap applied -o jsonpath={.data}'))).toEqual({ a: '4', c: '3' });
  });

  it('client side: a list that merges by key, and a custom resource', async () => {
    const service = (ports: object[]): string =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'applied' }, spec: { ports } });
    await ok('apply -f -', {
      stdin: service([
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ]),
    });
    await ok('apply -f -', { stdin: service([{ name: 'b', port: 2, targetPort: 9 }]) });
    expect(await ok('get service applied -o jsonpath={.spec.ports[*].name}')).toBe('b');
    expect(await ok('apply -f -', { stdin: connector('applied') })).toContain('created');
    expect(await ok('apply -f -', { stdin: connector('applied', { labels: { a: 'b' } }) })).toContain('configured');
  });

  it('server side: owners, conflicts, force', async () => {
    const apply = (manager: string, value: string, more = ''): Promise<Ran> =>
      run(`apply --server-side --field-manager=${manager} ${more} -f -`, { stdin: configMap('owned', { k: value }) });
    expect((await apply('one', 'a')).stdout).toContain('configmap/owned serverside-applied');
    const refused = await apply('two', 'b');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('conflict with "one"');
    expect(refused.stderr).toContain('.data.k');
    expect((await apply('two', 'b', '--force-conflicts')).code).toBe(0);
    expect(await ok('get configmap owned -o jsonpath={.metadata.managedFields[*].manager}')).toBe('two');
  });

  it('server side after client side takes the fields over', async () => {
    await ok('apply -f -', { stdin: configMap('moved', { a: '1', b: '2' }) });
    await ok('apply --server-side -f -', { stdin: configMap('moved', { a: '1' }) });
    expect(JSON.parse(await ok('get configmap moved -o jsonpath={.data}'))).toEqual({ a: '1' });
  });

  it('refuses what the schema does not know', async () => {
    const { code, stderr } = await run('apply -f -', { stdin: connector('bad').replace('"spec":{', '"spec":{"x":1,') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('unknown field "spec.x"') });
  });

  it('diff: 0 when equal, 1 and the difference when not, server side too', async () => {
    await ok('apply -f -', { stdin: configMap('compared', { a: '4' }) });
    expect((await run('diff -f -', { stdin: configMap('compared', { a: '4' }) })).code).toBe(0);
    const differs = await run('diff -f -', { stdin: configMap('compared', { a: '5' }) });
    expect(differs).toMatchObject({ code: 1, stdout: expect.stringContaining('+  a: "5"') });
    const serverSide = await run('diff --server-side --force-conflicts -f -', {
      stdin: configMap('compared', { a: 'z' }),
    });
    expect(serverSide).toMatchObject({ code: 1, stdout: expect.stringContaining('+  a: z') });
  });
});

describe('edit, patch, label, annotate, replace, scale', () => {
  const make = (name: string): Promise<string> => ok('create -f -', { stdin: connector(name) });

  it('edit', async () => {
    const editor = join(planes.dir, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/datum-connect/other-class/" "$1"\n', { mode: 0o755 });
    await make('edited');
    expect(await ok('edit connector edited', { env: { KUBE_EDITOR: editor } })).toContain('edited edited');
    expect(await ok('get connector edited -o jsonpath={.spec.connectorClassName}')).toBe('other-class');
    expect(await ok('edit configmap shown', { env: { KUBE_EDITOR: 'true' } })).toBe('');
  });

  it('patch: strategic, merge, JSON; of the status', async () => {
    await ok('create service clusterip patched --tcp=80:8080');
    await ok(`patch service patched -p '{"spec":{"ports":[{"port":7,"name":"c"}]}}'`);
    expect(await ok('get service patched -o jsonpath={.spec.ports[*].name}')).toBe('c 80-8080');
    await make('patched');
    await ok(`patch connector patched --type=merge -p '{"metadata":{"labels":{"a":"b"}}}'`);
    await ok(`patch connector patched --type=json -p '[{"op":"remove","path":"/metadata/labels/a"}]'`);
    await makeReady('patched');
    expect(await ok('get connector patched')).toMatch(/patched +datum-connect +True /);
    expect((await run(`patch connector patched -p '{"spec":{}}'`)).stderr).toContain('strategic-merge-patch+json');
  });

  it('label and annotate', async () => {
    await make('noted');
    expect(await ok('label connector noted team=a')).toContain('labeled');
    expect((await run('label connector noted team=b')).stderr).toContain('already has a value');
    expect(await ok('label connector noted team=b --overwrite')).toContain('labeled');
    expect(await ok('label connector noted team-')).toContain('unlabeled');
    expect(await ok(`annotate connector noted 'note=two words'`)).toContain('annotated');
    expect(await ok('get connector noted -o jsonpath={.metadata.annotations.note}')).toBe('two words');
    expect((await run('label connector noted team=not/valid')).code).toBe(1);
  });

  it('replace, with the conflict of an old copy', async () => {
    await ok('create configmap replaced --from-literal=a=1');
    const old = await ok('get configmap replaced -o json');
    await ok('patch configmap replaced --type=merge -p {"data":{"a":"9"}}');
    expect((await run('replace -f -', { stdin: old })).stderr).toContain('the object has been modified');
    expect(await ok('replace -f -', { stdin: configMap('replaced', { a: '1' }) })).toContain('replaced');
  });

  it('scale', async () => {
    const deployment = {
      apiVersion: 'compute.datumapis.com/v1alpha',
      kind: 'WorkloadDeployment',
      metadata: { name: 'scaled' },
      spec: {
        workloadRef: { name: 'web', uid: 'u' },
        placementName: 'us',
        cityCode: 'LAX',
        template: {
          spec: {
            runtime: { resources: { instanceType: 'datumcloud/d1-standard-2' } },
            networkInterfaces: [{ network: { name: 'default' } }],
          },
        },
        scaleSettings: { minReplicas: 1 },
        replicas: 1,
      },
    };
    await ok('create -f -', { stdin: JSON.stringify(deployment) });
    expect(await ok('scale workloaddeployment scaled --replicas=3')).toContain('scaled');
    expect(await ok('get workloaddeployment scaled -o jsonpath={.spec.replicas}')).toBe('3');
    expect((await run('scale workloaddeployment scaled --current-replicas=1 --replicas=2')).code).toBe(1);
    await ok('delete workloaddeployment scaled');
  });
});

describe('delete and wait', () => {
  it('--wait holds until the finalizers let go', async () => {
    await ok('create -f -', { stdin: configMap('held', {}, { finalizers: ['example.com/hold'] }) });
    const deleting = run('delete configmap held --wait --timeout=30s');
    await ok('wait configmap/held --for=jsonpath={.metadata.deletionTimestamp} --timeout=30s');
    await ok(`patch configmap held --type=merge -p '{"metadata":{"finalizers":null}}'`);
    expect(await deleting).toMatchObject({ code: 0, stdout: expect.stringContaining('configmap "held" deleted') });
  });

  it('wait for a condition and for deletion', async () => {
    await ok('create -f -', { stdin: connector('awaited') });
    await makeReady('awaited');
    expect(await ok('wait connector/awaited --for=condition=Ready --timeout=30s')).toContain('condition met');
    const gone = run('wait connector/awaited --for=delete --timeout=30s');
    await ok('delete connector awaited');
    expect((await gone).code).toBe(0);
    expect((await run('wait connector/shown --for=condition=Ready --timeout=100ms')).stderr).toContain('timed out');
  });

  it('by selector, and a namespace with what is in it', async () => {
    await ok('create namespace full');
    await ok('create configmap inside -n full');
    expect(await ok('delete namespace full --timeout=30s')).toContain('namespace "full" deleted');
    expect((await run('get configmap inside -n full')).stderr).toContain('not found');
    await ok('create -f -', { stdin: connector('selected', { labels: { app: 'selected' } }) });
    expect(await ok('delete connectors -l app=selected')).toContain('"selected" deleted');
    expect(await ok('delete configmap nothing --ignore-not-found')).toBe('');
  });
});

describe('what is there', () => {
  it('api-resources, api-versions, explain', async () => {
    const resources = await ok('api-resources');
    expect(resources).toMatch(/^connectors +networking\.datumapis\.com\/v1alpha1 +true +Connector$/m);
    expect(resources).toMatch(/^configmaps +cm +v1 +true +ConfigMap$/m);
    expect(await ok('api-resources --namespaced=false -o name')).toContain('namespaces');
    expect(await ok('api-versions')).toContain('coordination.k8s.io/v1');
    expect(await ok('explain connector.spec')).toMatch(/connectorClassName\s+<string>.*-required-/);
    expect(await ok('explain configmap')).toMatch(/data\s+<map\[string\]string>/);
    expect(await ok('explain lease --recursive')).toContain('leaseTransitions');
  });

  it('a CustomResourceDefinition of somebody else', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } },
              },
            },
          },
        ],
      },
    };
    await ok('apply -f -', { stdin: JSON.stringify(crd) });
    await ok('wait crd/widgets.example.com --for=condition=Established --timeout=30s');
    const widget = (size: number): string =>
      JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size } });
    expect((await run('apply -f -', { stdin: widget(0) })).stderr).toContain('should be greater than or equal to 1');
    expect(await ok('apply -f -', { stdin: widget(2) })).toContain('created');
    expect(await ok('get wd -o name')).toBe('widget.example.com/w');
    expect(await ok('delete crd widgets.example.com --timeout=30s')).toContain('deleted');
    expect((await run('get widgets')).code).toBe(1);
  });

  it('auth can-i, auth whoami', async () => {
    expect(await ok('auth can-i delete connectors')).toBe('yes');
    expect(await ok('auth can-i --list')).toContain('*.*');
    expect(await ok('auth whoami -o jsonpath={.status.userInfo.groups}')).toContain('system:masters');
  });

  it('events, of both groups', async () => {
    const uid = await ok('get configmap shown -o jsonpath={.metadata.uid}');
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'seen', namespace: 'default' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/controller',
      reportingInstance: 'a',
      action: 'Looked',
      reason: 'Looked',
      type: 'Normal',
      note: 'it was looked at',
      regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'shown', namespace: 'default', uid },
    };
    await ok('create -f -', { stdin: JSON.stringify(event) });
    expect(await ok('get events')).toMatch(/Normal +Looked +configmap\/shown +it was looked at/);
    expect(await ok('events --for configmap/shown')).toContain('it was looked at');
    expect(await ok('describe configmap shown')).toContain('it was looked at');
  });
});
