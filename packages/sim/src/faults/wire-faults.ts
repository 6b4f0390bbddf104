/** Requests get lost, refused or held up between a replica and a plane. */
import { abortable, type Random, type TransportInterceptor } from '@lifeline/core';
import { isWatch, mayWrite, type Sent } from '../world/record.ts';
import { hangs } from '../world/wires.ts';
import {
  between,
  type Fault,
  type FaultSite,
  numberArg,
  pick,
  pickSome,
  textArg,
  together,
  undo,
  wiresOf,
} from './fault.ts';
import { lostConnection, statusAnswer, textAnswer } from './wire-answers.ts';

/** Somewhere between all wires and one. */
const somewhere = (
  random: Random,
  { replicas, planes }: { readonly replicas: readonly string[]; readonly planes: readonly { readonly name: string }[] },
): Record<string, string> => {
  const replica = pickSome(random, replicas);
  const plane = pickSome(
    random,
    planes.map(({ name }) => name),
  );
  return { ...(replica !== undefined && { replica }), ...(plane !== undefined && { plane }) };
};

/** Puts a fault on the wires that the step names; it strikes each request with the step's chance. */
function strike(
  { world, step, random, fired }: FaultSite,
  how: (sent: Sent) => TransportInterceptor | undefined,
): Disposable {
  const chance = numberArg(step, 'chance', 1);
  return world.wires.put((sent) => {
    const interceptor = how(sent);
    if (!interceptor || (chance < 1 && random.next() >= chance)) return undefined;
    fired();
    return interceptor;
  }, wiresOf({ step }));
}

const breaks: TransportInterceptor = () => () => Promise.reject(lostConnection('before the request arrived'));

/** F03: never arrives, and nobody is told. */
export const lostRequest: Fault = {
  id: 'F03',
  draw: (random, terrain) => ({
    args: { ...somewhere(random, terrain), chance: pick(random, [0.1, 0.3, 1]), how: pick(random, ['hang', 'reset']) },
    forMs: between(random, 1, 40) * 1_000,
  }),
  begin: (site) => strike(site, () => (textArg(site.step, 'how') === 'hang' ? hangs : breaks)),
};

/** F11: watches are open and silent, those that there are and those to come. They stay so after the end. */
export const silentWatch: Fault = {
  id: 'F11',
  draw: (random, terrain) => ({ args: somewhere(random, terrain), forMs: between(random, 5, 60) * 1_000 }),
  begin: ({ world, step, fired }) => {
    const on = wiresOf({ step });
    let ended = false;
    const silence = (): void => {
      for (const watch of ended ? [] : world.wires.watches(on)) {
        watch.silence();
        fired();
      }
    };
    silence();
    // Those to come: once they have begun.
    const later = world.wires.put(
      (sent) =>
        isWatch(sent.request)
          ? (next) => async (request, options) => {
              const response = await next(request, options);
              world.timer(1, silence);
              return response;
            }
          : undefined,
      on,
    );
    return together(
      later,
      undo(() => (ended = true)),
    );
  },
};

/** What servers, proxies and jokers write into `Retry-After`. */
const retryAfters = ['1', '7', '7', '20', '30', '45', '0', '-5', 'soon', '3600', '99999999999'];

/** F15: too many requests, or a server or proxy that cannot, with or without a word on when to come again. */
export const throttle: Fault = {
  id: 'F15',
  weight: () => 2,
  draw: (random, terrain) => ({
    args: {
      ...somewhere(random, terrain),
      chance: pick(random, [0.2, 0.6, 1]),
      status: pick(random, [429, 429, 429, 503, 503, 500, 504]),
      retryAfter: random.int(4) === 0 ? '' : pick(random, retryAfters),
    },
    forMs: between(random, 5, 60) * 1_000,
  }),
  begin: (site) => {
    const status = numberArg(site.step, 'status', 503);
    const said = textArg(site.step, 'retryAfter') ?? '';
    const headers: Record<string, string> = said === '' ? {} : { 'retry-after': said };
    return strike(site, () => () => async () => {
      const plain = site.random.int(2) === 0;
      if (status === 504) return textAnswer(504, '<html>504 Gateway Time-out</html>', { 'content-type': 'text/html' });
      return plain
        ? textAnswer(status, 'please try again later.\n', headers)
        : statusAnswer(status, status === 429 ? 'TooManyRequests' : 'ServiceUnavailable', headers);
    });
  },
};

/** F16: may not, is not served, is not valid: for a plane, a kind or one object. */
export const refuse: Fault = {
  id: 'F16',
  weight: () => 2,
  draw: (random, terrain) => ({
    args: {
      ...somewhere(random, terrain),
      how: pick(random, ['forbidden', 'no-kind', 'proxy-404', 'invalid']),
      /** Names that hash to it are refused; 0: all. */
      share: random.int(4),
    },
    forMs: between(random, 1, 60) * 1_000,
  }),
  begin: (site) => {
    const how = textArg(site.step, 'how') ?? '';
    const share = numberArg(site.step, 'share', 0);
    // A kind that goes takes its watches with it.
    const cuts = how === 'no-kind' ? site.world.wires.watches(wiresOf(site)) : [];
    for (const watch of cuts) watch.end(lostConnection('in the body'));
    return strike(site, (sent) => {
      if (how === 'invalid' && !mayWrite(sent.request)) return undefined;
      if (share > 0 && hashOf(sent.request.url.replace(/\?.*/, '')) % 4 !== share) return undefined;
      return () => async () => answerOf(how);
    });
  },
};

const answerOf = (how: string): ReturnType<typeof statusAnswer> => {
  switch (how) {
    case 'forbidden':
      return statusAnswer(403, 'Forbidden');
    case 'no-kind':
      return textAnswer(404, '404 page not found\n');
    case 'proxy-404':
      return statusAnswer(404, 'NotFound');
    default:
      return statusAnswer(422, 'Invalid');
  }
};

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** F19: one direction works. */
export const oneWay: Fault = {
  id: 'F19',
  draw: (random, terrain) => ({
    args: {
      ...somewhere(random, terrain),
      works: pick(random, ['reads', 'writes']),
      how: pick(random, ['hang', 'reset']),
    },
    forMs: between(random, 1, 90) * 1_000,
  }),
  begin: (site) => {
    const readsWork = textArg(site.step, 'works') === 'reads';
    const fails = textArg(site.step, 'how') === 'hang' ? hangs : breaks;
    const cuts = readsWork ? [] : site.world.wires.watches(wiresOf(site));
    for (const watch of cuts) watch.end(lostConnection('in the body'));
    return strike(site, (sent) => (mayWrite(sent.request) === readsWork ? fails : undefined));
  },
};

/** F20: links to planes are clogged one by one, and opened again in another order; what was sent meanwhile arrives then. */
export const swizzle: Fault = {
  id: 'F20',
  draw: (random, { planes }) => (planes.length < 2 ? undefined : { args: {}, forMs: between(random, 2, 30) * 1_000 }),
  begin: ({ world, step, random, fired }) => {
    const all = [...world.planes.keys()];
    const some = all.filter(() => random.int(4) > 0);
    const planes = some.length > 0 ? some : all;
    const order = planes.map((plane) => ({ plane, at: random.next() })).sort((a, b) => a.at - b.at);
    const share = step.forMs / 2 / Math.max(1, planes.length);
    const links = order.map(({ plane }, index) => {
      const open = Promise.withResolvers<void>();
      let put: Disposable | undefined;
      const clog = world.timer(index * share, () => {
        fired();
        for (const watch of world.wires.watches({ plane })) watch.hold(open.promise);
        put = world.wires.put(
          () => (next) => async (request, options) => {
            await abortable(open.promise, options.signal);
            return next(request, options);
          },
          { plane },
        );
      });
      const unclog = undo(() => {
        clog[Symbol.dispose]();
        put?.[Symbol.dispose]();
        open.resolve();
      });
      // In an order of its own, over the second half.
      const timer = world.timer(step.forMs / 2 + random.next() * (step.forMs / 2), () => unclog[Symbol.dispose]());
      return together(timer, unclog);
    });
    return together(...links);
  },
};
