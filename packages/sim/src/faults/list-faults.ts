/** Lists and watches that cannot go on, or end too early. */
import { bodyOf, Lease, type Random, readAll, type TransportInterceptor, type TransportResponse } from '@lifeline/core';
import { isWatch, type Sent } from '../world/record.ts';
import { between, type Fault, type FaultSite, numberArg, pick, pickSome, textArg, wiresOf } from './fault.ts';
import { expiredEvent, lostConnection, statusAnswer } from './wire-answers.ts';

const planesOf = ({ world, step }: FaultSite): readonly string[] => {
  const plane = textArg(step, 'plane');
  return plane === undefined ? [...world.planes.keys()] : [plane];
};

/** What an API server may call expired. */
const mayExpire = ({ request }: Sent): boolean =>
  request.method === 'GET' && /[?&](resourceVersion|continue)=/.test(request.url);

/**
 * Forgets the history of the planes and breaks the watches of it: whoever goes on from before meets a 410 of the server's own. Something that
 * nobody watches is written first, so that everybody is from before.
 */
async function forget(site: FaultSite): Promise<void> {
  const { world, fired } = site;
  for (const plane of planesOf(site)) {
    const elsewhere = { metadata: { namespace: 'default', name: 'elsewhere' } };
    await world
      .hands('stranger')
      .apply(plane, Lease, { ...elsewhere, spec: { holderIdentity: `${world.clock.now()}` } });
    world.plane(plane).api.compact();
    for (const watch of world.wires.watches({ ...wiresOf(site), plane })) {
      watch.end(lostConnection('in the body'));
      fired();
    }
  }
}

/** F12: a revision that is too old, said as a status, as an event of the watch, by a server that has forgotten; or watches that end at once. */
export const expire: Fault = {
  id: 'F12',
  weight: () => 2,
  draw: (random, { replicas, planes }) => ({
    args: {
      ...whereOf(random, replicas, planes),
      how: pick(random, ['status', 'event', 'compaction', 'compaction', 'compaction', 'eof']),
      chance: pick(random, [0.3, 1]),
    },
    forMs: between(random, 1, 30) * 1_000,
  }),
  begin: (site) => {
    const { world, step, random, fired } = site;
    const chance = numberArg(step, 'chance', 1);
    const strikes = (): boolean => chance >= 1 || random.next() < chance;
    switch (textArg(step, 'how') ?? '') {
      case 'compaction':
        world.spawn(forget(site));
        return undefined;
      case 'event':
        for (const watch of world.wires.watches(wiresOf(site))) {
          watch.end(expiredEvent());
          fired();
        }
        return undefined;
      case 'eof':
        breakWatches(site);
        return world.wires.put(
          (sent) => (isWatch(sent.request) && strikes() ? (fired(), endsAtOnce) : undefined),
          wiresOf(site),
        );
      default:
        breakWatches(site);
        return world.wires.put(
          (sent) =>
            mayExpire(sent) && strikes() ? (fired(), () => async () => statusAnswer(410, 'Expired')) : undefined,
          wiresOf(site),
        );
    }
  },
};

/** Whoever watches has to go on from where it was. */
function breakWatches(site: FaultSite): void {
  for (const watch of site.world.wires.watches(wiresOf(site))) watch.end(lostConnection('in the body'));
}

function whereOf(
  random: Random,
  replicas: readonly string[],
  planes: readonly { readonly name: string }[],
): Record<string, string> {
  const replica = pickSome(random, replicas);
  const plane = pick(random, planes).name;
  return { plane, ...(replica !== undefined && { replica }) };
}

const endsAtOnce: TransportInterceptor = (next) => async (request, options) => {
  const response = await next(request, options);
  await response.body[Symbol.asyncIterator]().return?.();
  return { ...response, body: bodyOf() };
};

/**
 * F13: lists come in small pages, and one of them fails or is cut, with or without an error. Streamed lists are not offered, or end in the
 * middle. Everybody has to list anew at the beginning.
 */
export const cutList: Fault = {
  id: 'F13',
  weight: () => 2,
  draw: (random, { replicas, planes }) => ({
    args: {
      ...whereOf(random, replicas, planes),
      pageSize: between(random, 1, 3),
      how: pick(random, ['page-fails', 'page-fails', 'page-fails', 'cut', 'ends-early', 'expires']),
      chance: pick(random, [0.4, 0.8]),
    },
    forMs: between(random, 2, 30) * 1_000,
  }),
  begin: (site) => {
    const fault = site.world.wires.put((sent) => {
      const { method, url } = sent.request;
      if (method !== 'GET') return undefined;
      if (url.includes('sendInitialEvents=true')) return () => async () => statusAnswer(422, 'Invalid');
      return /[?&](limit|continue)=/.test(url) && !isWatch(sent.request) ? inPages(site) : undefined;
    }, wiresOf(site));
    site.world.spawn(forget(site));
    return fault;
  },
};

const inPages =
  ({ step, random, fired }: FaultSite): TransportInterceptor =>
  (next) =>
  async (request, options) => {
    const pageSize = numberArg(step, 'pageSize', 1);
    const url = request.url.replace(/([?&]limit=)\d+/, `$1${pageSize}`);
    const isLater = url.includes('continue=');
    const strikes = random.next() < numberArg(step, 'chance', 0.5);
    if (strikes) fired();
    const how = strikes ? textArg(step, 'how') : undefined;
    if (how === 'page-fails' && isLater) return statusAnswer(pick(random, [500, 503]), 'InternalError');
    if (how === 'expires' && isLater) return statusAnswer(410, 'Expired');
    const response = await next({ ...request, url }, options);
    if (how === 'cut' || how === 'ends-early') return cut(response, random, how === 'cut');
    return response;
  };

/** The body up to some byte: then an error, or nothing as if that were its end. */
async function cut(response: TransportResponse, random: Random, breaks: boolean): Promise<TransportResponse> {
  const whole = await readAll(response.body);
  const part = whole.subarray(0, random.int(Math.max(1, whole.length)));
  return { ...response, body: ending(part, breaks) };
}

async function* ending(part: Uint8Array, breaks: boolean): AsyncGenerator<Uint8Array, void, undefined> {
  if (part.length > 0) yield part;
  if (breaks) throw lostConnection('in the body');
}
