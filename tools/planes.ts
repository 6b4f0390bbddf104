import { abortable, describeError, untilAborted } from '@lifeline/core';
import { called, positive } from './command.ts';
import { AppProcesses, plannedApps } from './planes/apps.ts';
import { kubeconfigText, PlanesFolder } from './planes/folder.ts';
import { plannedPlanes } from './planes/options.ts';
import { startKarmada } from './planes/karmada.ts';
import { createNamespaces, startPlanes } from './planes/start-planes.ts';

const usage = `npm run planes -- --dir DIR [--projects 2] [--edges 2] [--cells 1] [--apps]

Brings up test planes over HTTPS on the loopback interface: management, project-a …, hub, edge-1 …, cell-1 …, with a small Karmada between
the hub and the others. They live in this process and are gone with it; SIGTERM or Ctrl-C stops everything it started.

  --dir DIR      gets DIR/<plane>.kubeconfig (all rights) and, when everything is ready, DIR/ready
  --projects N   projects; default 2
  --edges N      edges; default 2
  --cells N      cells; default 1
  --apps         also starts our apps, each as a process from its production bundle: ports and logs in DIR/apps.json

  KUBECONFIG=DIR/hub.kubeconfig kubectl get clusters`;

const call = called(usage, {
  dir: { type: 'string' },
  projects: { type: 'string', default: '2' },
  edges: { type: 'string', default: '2' },
  cells: { type: 'string', default: '1' },
  apps: { type: 'boolean' },
});
const { dir } = call.values;
const [word] = call.words;
if (typeof dir !== 'string' || dir === '' || word !== undefined) {
  console.error(`${word === undefined ? '--dir is needed' : `"${word}" is not understood`}\n\n${usage}`);
  process.exit(2);
}
const counts = {
  projects: positive(call, 'projects'),
  edges: positive(call, 'edges'),
  cells: positive(call, 'cells'),
};

/** Somebody asked to stop: no failure. */
class Stopped extends Error {}
const stop = new AbortController();
// Not `once`: Ctrl-C comes twice, from the terminal and from npm, and a second one must not end the orderly stop.
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort(new Stopped(name)));

await using stack = new AsyncDisposableStack();
try {
  await bringUp(dir, stack);
  console.log('Ctrl-C stops them.');
  await untilAborted(stop.signal);
} catch (error) {
  if (!(error instanceof Stopped)) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
if (stop.signal.aborted) console.log(`${describeError(stop.signal.reason)}: stopping`);

async function bringUp(dir: string, stack: AsyncDisposableStack): Promise<void> {
  const { signal } = stop;
  const folder = stack.use(await PlanesFolder.open(dir));
  const planes = await startPlanes(plannedPlanes(counts), stack);
  const kubeconfigs = new Map(planes.map((plane) => [plane.name, kubeconfigText(plane)]));
  for (const [name, text] of kubeconfigs) await folder.write(`${name}.kubeconfig`, text);
  await startKarmada(planes, stack, signal);
  if (call.values['apps']) {
    const apps = stack.use(new AppProcesses(folder));
    for (const app of plannedApps(planes)) {
      await createNamespaces(planes, app.namespaces, signal);
      await abortable(apps.start(app, kubeconfigs), signal);
    }
    await folder.write('apps.json', `${JSON.stringify(apps.running, undefined, 2)}\n`);
    for (const [name, { log }] of Object.entries(apps.running)) console.log(`${name.padEnd(16)} ${log}`);
  }
  signal.throwIfAborted();
  for (const { name, server } of planes) console.log(`${name.padEnd(16)} ${server}`);
  await folder.write('ready', '');
  console.log(`ready: KUBECONFIG=${folder.file('hub.kubeconfig')} kubectl get clusters`);
}
