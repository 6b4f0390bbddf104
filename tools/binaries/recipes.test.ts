import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../root.ts';
import { binaries, type Binary, binaryNames, binaryOf, compareVersions, goModulesFolder, leastGo } from './recipes.ts';
import { keyOf } from './shelf.ts';

const goPrograms = binaryNames.map(binaryOf).flatMap(({ source }) => (source.from === 'go' ? [source] : []));

describe('the binaries', () => {
  it('are these, in these versions', () => {
    expect(Object.fromEntries(binaryNames.map((name) => [name, binaries[name].version]))).toEqual({
      kubectl: '1.35.2',
      helm: '4.1.4',
      envoy: '1.39.3',
      'envoy-gateway-crds': '1.9.1',
      etcd: '3.7.3',
      'kube-apiserver': '1.36.3',
      'kube-controller-manager': '1.36.3',
      'envoy-gateway': '1.9.1',
    });
  });

  it('stand in the document in these versions', () => {
    const text = readFileSync(join(root, 'docs/testing.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z-]+)` +\| (\d+\.\d+\.\d+) /gm)].map(([, name, version]) => [
      name,
      version,
    ]);
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(binaryNames.map((name) => [name, binaries[name].version])),
    );
  });

  it.each(goPrograms.map(({ by, main }) => [by.folder, main] as const))('go.mod of %s asks for %s', (folder, main) => {
    const lines = readFileSync(join(goModulesFolder, folder, 'go.mod'), 'utf8').split('\n');
    expect(lines.some((line) => line === `tool ${main}` || line === `\t${main}`)).toBe(true);
  });

  it('a Kubernetes program says its version', () => {
    const { flags } = binaries['kube-apiserver'].source;
    const link = flags.find((flag) => flag.startsWith('-ldflags='));
    for (const said of ['gitVersion=v1.36.3', 'gitMajor=1', 'gitMinor=36'])
      expect(link).toContain(`-X=k8s.io/component-base/version.${said}`);
  });

  it('need the newest Go that one of them asks for', () => {
    expect(leastGo).toBe('1.26.7');
  });
});

describe('compareVersions', () => {
  it.each([
    ['1.26.7', '1.26.10'],
    ['1.9', '1.26.0'],
    ['1.26', '1.26.1'],
    ['1.26.9', '1.27'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });
});

describe('keyOf', () => {
  const etcd = binaryOf('etcd');
  const { source } = binaries.etcd;
  const variants: readonly (readonly [string, Binary])[] = [
    ['another version', { ...etcd, version: '3.7.4' }],
    ['other dependencies', { ...etcd, source: { ...source, by: { ...source.by, sha256: '0' } } }],
    ['another flag', { ...etcd, source: { ...source, flags: [...source.flags, '-race'] } }],
    ['other bytes', { ...binaryOf('envoy'), source: { ...binaries.envoy.source, sha256: '0' } }],
  ];

  it('begins with what people look for', () => {
    expect(keyOf(etcd)).toMatch(/^etcd-3\.7\.3-[0-9a-f]{12}$/);
    expect(keyOf({ ...etcd })).toBe(keyOf(etcd));
  });

  it.each(variants)('%s is another key', (_, variant) => {
    expect(keyOf(variant)).not.toBe(keyOf(variant.name === 'etcd' ? etcd : binaryOf('envoy')));
  });
});
