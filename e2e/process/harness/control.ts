/**
 * How tests act on the processes of a platform that another process holds: over a Unix socket, one request for one act.
 *
 *     curl --unix-socket .cache/e2e/process/control.sock -X POST localhost/ -d '["freeze", "kube-apiserver-hub"]'
 */
import { createServer, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { describeError } from '@lifeline/core';
import { controlSocket } from './names.ts';

export type Act =
  /** `NAME`: ends a process in order. */
  | 'stop'
  /** `NAME`: ends it at once. */
  | 'kill'
  /** `NAME`: starts what was ended, and waits until it can be used. */
  | 'start'
  /** `NAME`: it stands still, and answers nobody, until it is thawed. */
  | 'freeze'
  | 'thaw'
  /** `NAME PROJECT NAMESPACE/CONNECTOR=NODE-ID…`: an agent of these connectors, in one process. */
  | 'agent'
  /** `EDGE NAMESPACE/NAME`: the Envoy of a Gateway, at an edge whose Gateways are not merged. Gives the Unix sockets of its ports. */
  | 'envoy'
  /** The plane of that name. */
  | 'spare'
  /** By name: the process id, or how it ended. */
  | 'states'
  /** Names of processes that have ended though nobody asked for it. */
  | 'crashed';

/** What each does; it resolves to what is worth knowing. */
export type Acts = Readonly<Record<Act, (...args: readonly string[]) => Promise<unknown>>>;

/** Serves acts until the signal aborts. */
export function serveActs(acts: Acts, signal: AbortSignal): void {
  const server = createServer((asked, response) => {
    void answer(acts, asked).then(
      (result) => response.end(JSON.stringify(result ?? null)),
      (error: unknown) => response.writeHead(500).end(describeError(error)),
    );
  });
  server.listen(controlSocket);
  signal.addEventListener('abort', () => server.close(), { once: true });
}

async function answer(acts: Acts, asked: IncomingMessage): Promise<unknown> {
  const [act, ...args] = JSON.parse(await textOf(asked)) as [Act, ...string[]];
  if (!Object.hasOwn(acts, act)) throw new Error(`no act ${act}; there are ${Object.keys(acts).join(', ')}`);
  return await acts[act](...args);
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
  return text;
}

/** Asks whoever holds the platform. @throws Error with what it says when it cannot be done */
export async function act(name: Act, ...args: readonly string[]): Promise<unknown> {
  const asked = request({ socketPath: controlSocket, method: 'POST', path: '/' });
  asked.end(JSON.stringify([name, ...args]));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  if (response.statusCode !== 200) throw new Error(text);
  return JSON.parse(text);
}
