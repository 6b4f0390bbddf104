/** A kind for the tests of this folder, and sources that answer as written. */
import { defineKind, type KubeObject, objectMetaSchema } from '@lifeline/core';
import { z } from 'zod';
import type { WatchEvent } from '../client/client.ts';
import type { EventStream, ListerWatcher, Snapshot } from './reflector.ts';

export interface Widget extends KubeObject {
  spec?: { size: number; color?: string | undefined } | undefined;
}

export const Widget = defineKind<Widget>({
  group: 'example.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  statusSubresource: false,
  schema: z.looseObject({
    apiVersion: z.string(),
    kind: z.literal('Widget'),
    metadata: objectMetaSchema,
    spec: z.looseObject({ size: z.number().int(), color: z.string().optional() }).optional(),
  }),
});

/** `widget('a', 7)`: `default/a` at revision 7. */
export function widget(
  name: string,
  rv: number | string,
  rest: { uid?: string; size?: unknown; color?: string } = {},
): Widget {
  const { uid = `uid-${name}`, size = 1, color } = rest;
  return {
    apiVersion: 'example.dev/v1',
    kind: 'Widget',
    metadata: { namespace: 'default', name, uid, resourceVersion: String(rv) },
    spec: { size: size as number, ...(color === undefined ? {} : { color }) },
  };
}

export const bookmark = (rv: number | string, initialEventsEnd = false): WatchEvent<Widget> => ({
  type: 'bookmark',
  resourceVersion: String(rv),
  initialEventsEnd,
});

/** What a scripted stream does next: an event, an error, `end`, or `hang` until it is aborted or returned. */
export type Script = WatchEvent<Widget> | Error | 'end' | 'hang';

/** A stream that plays its script and counts as open until it ends, fails, is returned or aborted. */
export function scriptedStream(
  script: readonly Script[],
  signal?: AbortSignal,
): EventStream<Widget> & { open: boolean } {
  const left = [...script];
  const stream = {
    open: true,
    next: async (): Promise<IteratorResult<WatchEvent<Widget>, void>> => {
      const item = left.shift() ?? 'end';
      if (item === 'hang') {
        await new Promise((_, reject) => {
          const onAbort = (): void => reject(signal?.reason as Error);
          if (signal?.aborted) onAbort();
          signal?.addEventListener('abort', onAbort, { once: true });
        }).finally(() => (stream.open = false));
      }
      if (item instanceof Error) {
        stream.open = false;
        throw item;
      }
      if (item === 'end' || item === 'hang') {
        stream.open = false;
        return { done: true, value: undefined };
      }
      return { done: false, value: item };
    },
    return: (): Promise<IteratorResult<WatchEvent<Widget>, void>> => {
      stream.open = false;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return stream;
}

export const snapshot = (rv: number | string, ...items: readonly Widget[]): Snapshot<Widget> => ({
  items,
  resourceVersion: String(rv),
});

/** Answers each list with the next of `lists`, each watch with the next of `watches`; the last of each repeats. */
export class ScriptedSource implements ListerWatcher<Widget> {
  readonly calls: string[] = [];
  readonly streams: { open: boolean }[] = [];
  lists: (Snapshot<Widget> | Error)[];
  watches: (readonly Script[] | Error)[];

  constructor(lists: (Snapshot<Widget> | Error)[], watches: (readonly Script[] | Error)[] = []) {
    this.lists = lists;
    this.watches = watches;
  }

  list = async (signal: AbortSignal): Promise<Snapshot<Widget>> => {
    signal.throwIfAborted();
    this.calls.push('list');
    const answer = this.lists.length > 1 ? this.lists.shift() : this.lists[0];
    if (answer instanceof Error || !answer) throw answer ?? new Error('no list in the script');
    return answer;
  };

  watch = async (from: string, signal: AbortSignal): Promise<EventStream<Widget>> => {
    signal.throwIfAborted();
    this.calls.push(`watch ${from}`);
    const script = (this.watches.length > 1 ? this.watches.shift() : this.watches[0]) ?? ['hang'];
    if (script instanceof Error) throw script;
    const stream = scriptedStream(script, signal);
    this.streams.push(stream);
    return stream;
  };

  /** Streams that nobody ended. */
  get open(): number {
    return this.streams.filter(({ open }) => open).length;
  }
}
