/** What the tier consists of, and where it is. */
import { join, resolve } from 'node:path';

export const root: string = resolve(import.meta.dirname, '../../..');

/** Everything that a run leaves: kubeconfigs, logs, the state of processes. */
export const folder: string = join(root, '.cache/e2e/process');

export const projects = ['project-a', 'project-b'] as const;
export const hub = 'hub';
/** `edge-1`: merged Gateways and V2 names, in the machine's network. `edge-2`: neither, in a network of its own. */
export const edges = ['edge-1', 'edge-2'] as const;

/** Whether processes may have networks and mounts of their own here: `npm run e2e:process` has found out. */
export const hasNamespaces: boolean = process.env['LIFELINE_NAMESPACES'] !== 'no';
/** Edges with an Envoy Gateway: two of them do not fit into one network. */
export const servedEdges: readonly Edge[] = hasNamespaces ? edges : ['edge-1'];

export type Project = (typeof projects)[number];
export type Edge = (typeof edges)[number];
/** Comes up when it is asked for, with no kinds of ours: for whoever asks more of an API server than others could bear. */
export const spare = 'spare';
export type PlaneName = Project | typeof hub | Edge | typeof spare;
export const planes: readonly PlaneName[] = [...projects, hub, ...edges, spare];

/** Extension servers of an edge. */
export const servers = ['a', 'b'] as const;
export const serverName = (edge: Edge, server: (typeof servers)[number]): string =>
  `edge-extension-server-${edge}-${server}`;

/** Of the Gateways that the fixture makes, of the GatewayClass, and with merged Gateways of the Envoy. */
export const className = 'tunnels';
export const envoyGatewayNamespace = 'envoy-gateway-system';

export const file = (...names: readonly string[]): string => join(folder, ...names);
export const kubeconfigOf = (plane: PlaneName): string => file(`${plane}.kubeconfig`);
export const controlSocket: string = file('control.sock');

/** Programs are given by path, in variables: `npm run e2e:process` sets them. @throws Error when one is not */
export function program(name: string): string {
  const variable = name.toUpperCase().replaceAll('-', '_');
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run this by \`npm run e2e:process\``);
  return path;
}

/** Where Karmada's own programs are; undefined: the small Karmada takes their place. */
export const karmadaFolder: string | undefined = process.env['LIFELINE_KARMADA_BIN'] || undefined;
