/** Planes that show an old state, or go back to one. */
import { between, type Fault, type FaultSite, numberArg, pick, textArg, together, undo } from './fault.ts';

/**
 * F07: a replica is served by an API server that lags, is restarted there after something has happened, and sees it late; or the plane
 * itself comes back from a backup.
 */
export const timeTravel: Fault = {
  id: 'F07',
  draw: (random, { replicas, planes }) => ({
    args: {
      replica: pick(random, replicas),
      plane: pick(random, planes).name,
      restartAfterMs: between(random, 0, 20) * 1_000,
      how: random.int(6) === 0 ? 'restore' : 'lag',
    },
    forMs: between(random, 20, 60) * 1_000,
  }),
  begin: (site) => (textArg(site.step, 'how') === 'restore' ? backup(site) : lag(site)),
};

function lag({ world, step, fired }: FaultSite): Disposable {
  const actor = textArg(step, 'replica') ?? '';
  const plane = textArg(step, 'plane') ?? '';
  const view = world.plane(plane).api.replica();
  view.freeze();
  world.wires.view(actor, plane, view.transport);
  const restart = world.timer(numberArg(step, 'restartAfterMs', 0), () => {
    fired();
    world.processes.start(actor);
  });
  return together(
    restart,
    undo(() => {
      view.thaw();
      world.wires.view(actor, plane, undefined);
    }),
  );
}

/**
 * Its clients are started again a little later, as whoever restores a plane is told to do: a watch cannot tell that the server has gone back
 * and come past its revision again, and the list that would put it right is hours away.
 */
function backup({ world, step, fired }: FaultSite): Disposable {
  const { api } = world.plane(textArg(step, 'plane') ?? '');
  const snapshot = api.snapshot();
  return undo(() => {
    fired();
    api.restore(snapshot);
    world.timer(restartMs, () => {
      for (const name of world.processes.names) world.processes.start(name);
      if (world.karmada) world.spawn(world.karmada.restart());
    });
  });
}

const restartMs = 5_000;
