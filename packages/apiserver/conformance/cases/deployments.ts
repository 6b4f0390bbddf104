import { absent, containing, exactly, present } from '../pattern.ts';
import type { Test } from '../test.ts';
import { defineCases } from '../test-case.ts';

const deployments = (t: Test): Promise<string> => t.named('apps/v1', 'deployments');
const deployment = (name: string, containers: readonly Record<string, unknown>[], spec: Record<string, unknown> = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      ...spec,
    },
  }) as never;

/** The built-in kind that most people know. */
export const deploymentCases = defineCases('deployments', {
  'defaults are filled in as far as pods': async (t) => {
    const all = await deployments(t);
    const created = t.ok(
      await t.create(all, deployment('a', [{ name: 'c', image: 'x', ports: [{ containerPort: 80 }] }])),
      201,
    );
    t.matches(created, {
      metadata: { generation: 1 },
      spec: {
        replicas: 1,
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          spec: {
            restartPolicy: 'Always',
            dnsPolicy: 'ClusterFirst',
            schedulerName: 'default-scheduler',
            terminationGracePeriodSeconds: 30,
            securityContext: {},
            containers: [
              {
                name: 'c',
                image: 'x',
                imagePullPolicy: 'Always',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
              },
            ],
          },
        },
      },
      status: exactly({}),
    });
  },

  'generation counts changes of spec, status is a subresource': async (t) => {
    const all = await deployments(t);
    t.ok(await t.create(all, deployment('a', [{ name: 'c', image: 'x' }])), 201);
    t.matches(t.ok(await t.merge(`${all}/a`, { metadata: { labels: { l: '1' } }, status: { replicas: 5 } })), {
      metadata: { generation: 1 },
      status: { replicas: absent },
    });
    t.matches(t.ok(await t.merge(`${all}/a`, { spec: { replicas: 2 } })), { metadata: { generation: 2 } });
    t.matches(t.ok(await t.merge(`${all}/a/status`, { status: { observedGeneration: 2, replicas: 2 } })), {
      metadata: { generation: 2 },
      status: { observedGeneration: 2, replicas: 2 },
    });
    t.matches(t.ok(await t.get(`${all}/a/scale`)), {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 2, selector: 'app=a' },
    });
    t.matches(t.ok(await t.merge(`${all}/a/scale`, { spec: { replicas: 3 } })), { spec: { replicas: 3 } });
    t.matches(t.ok(await t.get(`${all}/a`)), { metadata: { generation: 3 }, spec: { replicas: 3 } });
  },

  'strategic patches merge containers by name, and what is in them': async (t) => {
    const all = await deployments(t);
    const env = (name: string, value: string) => ({ name, value });
    t.ok(await t.create(all, deployment('a', [{ name: 'one', image: 'x', env: [env('A', '1'), env('B', '2')] }])), 201);
    const containers = [
      { name: 'one', env: [env('B', '3'), env('C', '4')] },
      { name: 'two', image: 'y' },
    ];
    t.matches(t.ok(await t.strategic(`${all}/a`, { spec: { template: { spec: { containers } } } })), {
      spec: {
        template: {
          spec: {
            containers: containing(
              { name: 'one', image: 'x', env: containing(env('A', '1'), env('B', '3'), env('C', '4')) },
              { name: 'two', image: 'y' },
            ),
          },
        },
      },
    });
    t.matches(
      t.ok(await t.strategic(`${all}/a`, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } })),
      {
        spec: { strategy: exactly({ type: 'Recreate' }) },
      },
    );
  },

  'applies merge containers by name': async (t) => {
    const all = await deployments(t);
    const path = `${all}/a`;
    t.ok(
      await t.apply(path, deployment('a', [{ name: 'one', image: 'x', env: [{ name: 'A', value: '1' }] }]), {
        manager: 'm',
      }),
      201,
    );
    const both = t.ok(await t.apply(path, deployment('a', [{ name: 'two', image: 'y' }]), { manager: 'n' }));
    t.matches(both, { spec: { template: { spec: { containers: [{ name: 'one' }, { name: 'two' }] } } } });
    const fields = both.at(
      'metadata',
      'managedFields',
      0,
      'fieldsV1',
      'f:spec',
      'f:template',
      'f:spec',
      'f:containers',
    );
    t.equal(
      fields ?? null,
      exactly({
        'k:{"name":"one"}': {
          '.': {},
          'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
          'f:image': {},
          'f:name': {},
        },
      }),
      'fields of the first',
    );
    t.refused(await t.apply(path, deployment('a', [{ name: 'one', image: 'z' }]), { manager: 'n' }), {
      code: 409,
      causes: [{ field: '.spec.template.spec.containers[name="one"].image', message: 'conflict with "m"' }],
    });
  },

  'what cannot be is refused': async (t) => {
    const all = await deployments(t);
    t.refused(await t.create(all, deployment('a', [{ name: 'c' }])), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'spec.template.spec.containers[0].image', reason: 'FieldValueRequired' }],
    });
    t.refused(
      await t.create(
        all,
        deployment('a', [{ name: 'c', image: 'x' }], { selector: { matchLabels: { app: 'other' } } }),
      ),
      {
        code: 422,
        causes: [{ field: 'spec.template.metadata.labels', message: /`selector` does not match template `labels`$/ }],
      },
    );
    t.ok(await t.create(all, deployment('a', [{ name: 'c', image: 'x' }])), 201);
    t.refused(
      await t.merge(`${all}/a`, {
        spec: { selector: { matchLabels: { app: 'b' } }, template: { metadata: { labels: { app: 'b' } } } },
      }),
      {
        code: 422,
        causes: [{ field: 'spec.selector', message: /field is immutable$/ }],
      },
    );
    t.refused(await t.create(all, deployment('b', [{ name: 'c', image: 'x' }], { replicas: '2' })), {
      code: 400,
      reason: 'BadRequest',
    });
    t.refused(await t.create(all, deployment('b', [{ name: 'c', image: 'x' }], { replicas: -1 })), {
      code: 422,
      causes: [{ field: 'spec.replicas' }],
    });
  },

  'a table': async (t) => {
    const all = await deployments(t);
    t.ok(await t.create(all, deployment('a', [{ name: 'c', image: 'x' }])), 201);
    t.matches(t.ok(await t.get(all, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })), {
      columnDefinitions: ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers', 'Images', 'Selector'].map(
        (name) => ({ name }),
      ),
      rows: [{ cells: ['a', '0/1', 0, 0, present, 'c', 'x', 'app=a'] }],
    });
  },
});
