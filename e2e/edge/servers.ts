/** Where the extension servers of a world are reached: by Envoy Gateways with their calls, and by each other with their reports. */
import { linkAbort } from '@lifeline/core';
import type { ReportMessage, ReportSource } from '@lifeline/edge';
import type { Hook, HookErrorCode, ReportHub } from '@lifeline/edge-extension-server';
import { type Hook as Calling, type HookCode, HookError, type World } from '@lifeline/sim';

/** What a server that listens has open. */
export interface Listening {
  readonly hook: Hook;
  readonly reports: ReportHub;
  /** Gateways that its retranslator works on. */
  readonly unconverged: () => number;
}

const codes: Readonly<Record<HookErrorCode, HookCode>> = {
  'invalid-argument': 'INVALID_ARGUMENT',
  'resource-exhausted': 'RESOURCE_EXHAUSTED',
  'deadline-exceeded': 'DEADLINE_EXCEEDED',
  internal: 'INTERNAL',
};

type Processes = World['processes'];

/** As sockets would have it: who does not listen is not there; a connection ends with the process at either end. */
export class Servers {
  readonly #listening = new Map<string, Listening & { readonly incarnation: number }>();
  readonly #connections = new Map<string, Set<string>>();
  readonly #processes: () => Processes;

  constructor(processes: () => Processes) {
    this.#processes = processes;
  }

  /** A replica opens its ports, until disposed. */
  open(replica: string, listening: Listening): Disposable {
    const entry = { ...listening, incarnation: this.#processes().incarnation(replica) };
    this.#listening.set(replica, entry);
    this.#connections.set(replica, new Set());
    return {
      [Symbol.dispose]: () => {
        if (this.#listening.get(replica) === entry) this.#listening.delete(replica);
      },
    };
  }

  /** What a replica has open; undefined while it does not listen. */
  find(replica: string): Listening | undefined {
    const processes = this.#processes();
    const found = this.#listening.get(replica);
    return found?.incarnation === processes.incarnation(replica) && processes.isRunning(replica) ? found : undefined;
  }

  /** The hooks of those of these replicas that listen, as an Envoy Gateway reaches them: connected with the first. */
  hooks(replicas: readonly string[], caller: string): readonly Calling[] {
    const [nearest] = replicas.filter((replica) => this.find(replica));
    if (nearest !== undefined) this.#connect(nearest, caller);
    return replicas.flatMap((replica) => {
      const listening = this.find(replica);
      return listening ? [this.#hookOf(replica, listening, caller)] : [];
    });
  }

  /** The reports of a replica, as another one reads them. */
  reports(replica: string, reader: string): ReportSource {
    const watch = (signal: AbortSignal): AsyncIterable<ReportMessage> => this.#watch({ replica, reader }, signal);
    return { name: replica, watch };
  }

  async *#watch(
    { replica, reader }: { readonly replica: string; readonly reader: string },
    signal: AbortSignal,
  ): AsyncGenerator<ReportMessage, void> {
    const listening = this.find(replica);
    if (!listening) throw new Error(`${replica} does not listen`);
    using life = linkAbort(signal);
    const end = (): void => life.abort(new Error('the connection broke'));
    for (const side of [replica, reader]) void this.#processes().process(side).died.then(end);
    yield* listening.reports.watch(life.signal);
  }

  /** It stays for as long as the server does. */
  #connect(replica: string, caller: string): void {
    const connections = this.#connections.get(replica);
    if (connections?.has(caller)) return;
    connections?.add(caller);
    this.find(replica)?.reports.connected(caller);
  }

  #hookOf(replica: string, { hook }: Listening, caller: string): Calling {
    const process = this.#processes().process(replica);
    return ({ bytes }, { signal }) => {
      this.#connect(replica, caller);
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      void process.died.then(() => reject(new HookError('EOF', `${replica} died`)));
      process.deliver('call of the hook', () => {
        const call = hook.begin(caller, () => {
          call.ended('aborted');
          reject(new HookError('DEADLINE_EXCEEDED', 'the call was cut off'));
        });
        const leave = (): void => call.ended('aborted');
        signal.addEventListener('abort', leave, { once: true });
        call.run(bytes, (result) => {
          signal.removeEventListener('abort', leave);
          // The server may use its memory again.
          if ('bytes' in result) resolve(result.bytes.slice());
          else reject(new HookError(codes[result.error.code], result.error.message));
          call.ended('bytes' in result ? 'answered' : 'failed');
        });
      });
      return promise;
    };
  }
}
