import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApiServer } from '@lifeline/apiserver';
import {
  ConnectorClass,
  Connector,
  CustomResourceDefinition,
  Gateway,
  HTTPProxy,
  Instance,
  isConditionTrue,
  type Kind,
  Lease,
  platformKinds,
  ResourceBinding,
  ResourceClaim,
  seeded,
  thirdPartyKinds,
  WorkloadDeployment,
} from '@lifeline/core';
import { customResourceDefinition, type StructuralSchema } from '@lifeline/core/crd';
import { VirtualClock } from '@lifeline/core/testing';
import { createClient } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { crdFiles, crdFolder, staleFiles } from './crd-gen/crd-files.ts';
import { root } from './root.ts';

const crdOf = (kind: Kind, open = false): CustomResourceDefinition => customResourceDefinition(kind, { open });

/** The schema below `path`; `[]` steps into items. */
const at = (kind: Kind, path: string, open = false): StructuralSchema => {
  const schema = crdOf(kind, open).spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema;
  const found = path
    .split(/\.|(?=\[\])/)
    .reduce<StructuralSchema | undefined>(
      (node, step) => (step === '[]' ? node?.items : node?.properties?.[step]),
      schema,
    );
  if (!found) throw new Error(`${kind.id} has no ${path}`);
  return found;
};

/** Creates the definitions on a test plane, as `kubectl create --validate=strict` does, and gives them as they are then. */
async function install(crds: readonly CustomResourceDefinition[]): Promise<readonly CustomResourceDefinition[]> {
  const clock = new VirtualClock();
  using plane = createApiServer({ clock, random: seeded('plane') });
  const { transport } = plane;
  const random = seeded('user');
  const client = createClient({ transport, baseUrl: 'https://plane.test', clock, random, userAgent: 'user' });
  const options = { signal: new AbortController().signal, fieldValidation: 'Strict' } as const;
  for (const crd of crds) await clock.run(client.create(CustomResourceDefinition, crd, options));
  await clock.advance(1_000);
  return plane.objects(CustomResourceDefinition);
}

describe('charts/crds', () => {
  const files = crdFiles();

  it('holds what the kinds generate, and nothing else', () => {
    // When this fails: node --conditions=@lifeline/source tools/crd-gen.ts
    expect(staleFiles(files, root)).toEqual([]);
  });

  it('is the same text each time', () => {
    expect([...crdFiles()]).toEqual([...files]);
  });

  it('reads the same as YAML 1.1, which Kubernetes reads, and as YAML 1.2', () => {
    for (const [path, text] of files) expect(parse(text, { version: '1.1' }), path).toEqual(parse(text));
  });

  it('is taken by an API server, word for word, and served', async () => {
    const served = await install([...files.values()].map((text) => parse(text) as CustomResourceDefinition));
    expect(served).toHaveLength(files.size);
    for (const { metadata, status } of served) {
      for (const type of ['NamesAccepted', 'Established'])
        expect(isConditionTrue(status?.conditions, type), `${metadata.name} ${type}`).toBe(true);
    }
  });

  it('would not be, were it no structural schema', async () => {
    const { spec, ...rest } = crdOf(Connector);
    const versions = spec.versions.map((version) => ({ ...version, schema: { openAPIV3Schema: { properties: {} } } }));
    await expect(install([{ ...rest, spec: { ...spec, versions } }])).rejects.toThrow('must not be empty at the root');
  });

  it('has no definition of a kind that every API server has', () => {
    expect([...files.keys()].filter((path) => path.includes(Lease.plural))).toEqual([]);
    expect(files.size).toBe(platformKinds.length + thirdPartyKinds.length);
  });
});

describe('staleFiles', () => {
  const folderWith = (files: Readonly<Record<string, string>>): string => {
    const folder = mkdtempSync(join(tmpdir(), 'crd-gen-'));
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, crdFolder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return folder;
  };

  it.each([
    { name: 'the same', files: { 'a.yaml': '1', 'x/b.yaml': '2' }, want: [] },
    { name: 'other text', files: { 'a.yaml': '0', 'x/b.yaml': '2' }, want: ['a.yaml: differs'] },
    { name: 'a missing file', files: { 'a.yaml': '1' }, want: ['x/b.yaml: missing'] },
    {
      name: 'a file too many',
      files: { 'a.yaml': '1', 'x/b.yaml': '2', 'c.yaml': '' },
      want: ['c.yaml: no such kind'],
    },
    { name: 'a file that is no YAML', files: { 'a.yaml': '1', 'x/b.yaml': '2', 'README.md': '' }, want: [] },
    { name: 'no folder', files: {}, want: ['a.yaml: missing', 'x/b.yaml: missing'] },
  ])('$name', ({ files, want }) => {
    const folder = folderWith(files);
    const wanted = new Map([
      ['a.yaml', '1'],
      ['x/b.yaml', '2'],
    ]);
    expect(staleFiles(wanted, folder)).toEqual(want);
    rmSync(folder, { recursive: true });
  });
});

describe('definitions', () => {
  it('name the kind as the descriptor does', () => {
    const { metadata, spec } = crdOf(Gateway, true);
    expect(metadata.name).toBe('gateways.gateway.networking.k8s.io');
    expect(spec.names).toEqual({
      kind: 'Gateway',
      listKind: 'GatewayList',
      plural: 'gateways',
      singular: 'gateway',
      shortNames: ['gtw'],
      categories: ['gateway-api'],
    });
  });

  it('have every version, and store the one we speak', () => {
    const versions = crdOf(Gateway, true).spec.versions.map(({ name, served, storage }) => ({ name, served, storage }));
    expect(versions).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: true, storage: false },
    ]);
  });

  it('say that they are unapproved in groups of Kubernetes, and only there', () => {
    const approved = 'api-approved.kubernetes.io';
    expect(crdOf(Gateway, true).metadata.annotations?.[approved]).toMatch(/^unapproved/);
    expect(crdOf(Connector).metadata.annotations).not.toHaveProperty([approved]);
  });

  it.each(platformKinds)('$id has the status subresource: without it Karmada wipes status at every write', (kind) => {
    expect(crdOf(kind).spec.versions.map(({ subresources }) => subresources?.status)).toEqual([{}]);
  });

  it('have a scale subresource, columns and selectable fields where the descriptor says so', () => {
    const [scaled] = crdOf(WorkloadDeployment).spec.versions;
    expect(scaled?.subresources?.scale).toEqual(WorkloadDeployment.scaleSubresource);
    expect(scaled?.additionalPrinterColumns).toEqual(WorkloadDeployment.printerColumns);
    const [plain] = crdOf(Connector).spec.versions;
    expect(plain?.subresources).toEqual({ status: {} });
    expect(plain?.selectableFields).toEqual([{ jsonPath: '.status.connectionDetails.publicKey.id' }]);
  });

  it.each(thirdPartyKinds)('$id keeps fields that we do not know', (kind) => {
    expect(at(kind, 'spec', true)).toHaveProperty('x-kubernetes-preserve-unknown-fields', true);
  });

  it('leave the conditions of Karmada a plain list, and make those of the platform a map', () => {
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] };
    expect(at(ResourceBinding, 'status.conditions', true)).not.toHaveProperty('x-kubernetes-list-type');
    expect(at(Connector, 'status.conditions')).toMatchObject(keys);
  });

  it('demand whole conditions', () => {
    const condition = at(Connector, 'status.conditions[]');
    expect([...(condition.required ?? [])].sort()).toEqual([
      'lastTransitionTime',
      'message',
      'reason',
      'status',
      'type',
    ]);
    expect(condition.properties?.['status']?.enum).toEqual(['True', 'False', 'Unknown']);
    expect(condition.properties?.['observedGeneration']).toEqual({ type: 'integer', format: 'int64', minimum: 0 });
  });
});

describe('rules of the platform', () => {
  const initial = (type: string, status: string, reason: string): object =>
    expect.objectContaining({ type, status, reason, lastTransitionTime: '1970-01-01T00:00:00Z' }) as object;

  it('a new Connector waits to be accepted', () => {
    expect(at(Connector, 'status').default).toEqual({ conditions: [initial('Accepted', 'Unknown', 'Pending')] });
  });

  it('a ConnectorClass is served by datum-connect unless it says otherwise', () => {
    expect(at(ConnectorClass, 'spec.controllerName')).toMatchObject({
      default: 'networking.datumapis.com/datum-connect',
      minLength: 1,
      maxLength: 253,
    });
  });

  it('a new Instance has four conditions that nobody has looked at', () => {
    expect(at(Instance, 'status').default).toEqual({
      conditions: [
        initial('Programmed', 'Unknown', 'Pending'),
        initial('Available', 'Unknown', 'Pending'),
        initial('Ready', 'Unknown', 'Pending'),
        initial('QuotaGranted', 'Unknown', 'PendingEvaluation'),
      ],
    });
  });

  it('a new ResourceClaim is not granted', () => {
    expect(at(ResourceClaim, 'status').default).toEqual({
      conditions: [initial('Granted', 'False', 'PendingEvaluation')],
    });
  });

  it('a WorkloadDeployment has no status before somebody reports one', () => {
    expect(at(WorkloadDeployment, 'status')).not.toHaveProperty('default');
  });

  it("a WorkloadDeployment's template is applied whole", () => {
    expect(at(WorkloadDeployment, 'spec.template')).toHaveProperty('x-kubernetes-map-type', 'atomic');
  });

  it('a rule of an HTTPProxy has up to 16 backends, each an instance or an endpoint', () => {
    expect(at(HTTPProxy, 'spec.rules[].backends').maxItems).toBe(16);
    expect(at(HTTPProxy, 'spec.rules[].backends[]')['x-kubernetes-validations']?.map(({ rule }) => rule)).toEqual([
      'has(self.instance) ? !has(self.endpoint) && !has(self.connector) : has(self.endpoint)',
    ]);
  });

  it('connection details of type PublicKey have a public key, and no others have', () => {
    expect(at(Connector, 'status.connectionDetails')['x-kubernetes-validations']).toHaveLength(2);
    expect(at(Connector, 'status.connectionDetails.publicKey').required).toEqual(['homeRelay', 'addresses']);
  });
});
