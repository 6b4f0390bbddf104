/** Kubernetes Events (events.k8s.io/v1) about objects, aggregated and never in the way. */
import {
  type Clock,
  describeError,
  type DurationMs,
  fieldManagers,
  formatMicroTime,
  KubeEvent,
  type KubeObject,
  metricDefinitions,
  type MonotonicMs,
  type Random,
} from '@lifeline/core';
import type { Log } from '../app/env.ts';
import type { Metrics } from '../app/metrics.ts';
import type { Client } from '../client/client.ts';
import { isKubeError } from '../client/kube-error.ts';

export interface RecordedEvent {
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, for machines: `StatusTruncated`. */
  readonly reason: string;
  /** What was being done: `Mirror`. */
  readonly action: string;
  /** For people; at most 1,024 bytes are kept. */
  readonly note: string;
}

/** Where an Event goes, and in whose name. */
export interface EventTarget {
  /** Name of the controller that says it. */
  readonly controller: string;
  /** Plane and name. */
  readonly cluster: string;
  /** Whatever keeps a write back or gives it up does so in here. */
  readonly client: Pick<Client, 'create' | 'patch'>;
  /** When it aborts nobody is interested any more. */
  readonly signal: AbortSignal;
}

export interface EventRecorder {
  /** Never throws and never waits: the Event is written in the background, or counted as refused. */
  record(target: EventTarget, event: RecordedEvent): void;
}

export interface EventRecorderOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** This replica. */
  readonly instance: string;
}

/** The same thing said again within this time becomes a count on the first Event. @see kubernetes/client-go@32ce75a7d tools/events/event_broadcaster.go (6 min) */
const seriesMs: DurationMs = 6 * 60_000;
/** A series is written at most this often. */
const updateMs: DurationMs = 60_000;
/** Kinds of things said that are remembered; the oldest is forgotten first. */
const remembered = 1_000;
/** Writes under way, of all controllers that share the recorder; more are refused, so that a storm of events costs no memory. */
const inFlight = 16;

interface Series {
  name: string | undefined;
  count: number;
  lastAt: MonotonicMs;
  writtenAt: MonotonicMs;
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { clock, random, log, metrics, instance } = options;
  const refused = metrics.counter(metricDefinitions.eventsRefused);
  const known = new Map<string, Series>();
  let writing = 0;

  const write = async (series: Series, event: RecordedEvent, target: EventTarget): Promise<void> => {
    const { metadata, apiVersion, kind } = event.regarding;
    const namespace = metadata.namespace ?? 'default';
    const now = formatMicroTime(clock.now());
    const call = { signal: target.signal, fieldManager: fieldManagers.events };
    if (series.name === undefined) {
      const name = `${metadata.name.slice(0, 200)}.${random.hex(8)}`;
      await target.client.create(
        KubeEvent,
        {
          metadata: { name, namespace },
          eventTime: now,
          reportingController: `lifeline.dev/${target.controller}`,
          reportingInstance: instance.slice(0, 128),
          action: event.action,
          reason: event.reason,
          type: event.type,
          note: cut(event.note),
          regarding: {
            apiVersion,
            kind,
            name: metadata.name,
            namespace: metadata.namespace,
            uid: metadata.uid,
            resourceVersion: metadata.resourceVersion,
          },
        },
        call,
      );
      series.name = name;
    } else {
      const body = { series: { count: series.count, lastObservedTime: now }, note: cut(event.note) };
      await target.client.patch(
        { kind: KubeEvent, name: { namespace, name: series.name } },
        { type: 'merge', body },
        call,
      );
    }
  };

  return {
    record(target, event) {
      const { kind, metadata } = event.regarding;
      const key = JSON.stringify([
        target.controller,
        target.cluster,
        kind,
        metadata.namespace,
        metadata.name,
        metadata.uid,
        event.type,
        event.reason,
        event.action,
      ]);
      const now = clock.monotonic();
      let series = known.get(key);
      if (!series || now - series.lastAt > seriesMs)
        series = { name: undefined, count: 0, lastAt: now, writtenAt: -Infinity as MonotonicMs };
      series.count++;
      series.lastAt = now;
      known.delete(key);
      known.set(key, series);
      if (known.size > remembered) known.delete(known.keys().next().value as string);
      if (now - series.writtenAt < updateMs) return;
      if (writing >= inFlight) return refused.inc({ reason: 'busy' });
      series.writtenAt = now;
      writing++;
      const said = series;
      write(said, event, target)
        .catch((error: unknown) => {
          if (target.signal.aborted) return;
          refused.inc({ reason: isKubeError(error, 'fenced') ? 'fenced' : 'error' });
          // A series whose Event is gone starts anew.
          said.name = undefined;
          log.debug({ err: describeError(error), kind, name: metadata.name }, 'event not written');
        })
        .finally(() => writing--);
    },
  };
}

/** At most 1,024 bytes, cut between characters. @see kubernetes/api events/v1/types.go (note: 1 kB) */
function cut(note: string): string {
  const bytes = new TextEncoder().encode(note);
  return bytes.length <= 1024 ? note : new TextDecoder().decode(bytes.subarray(0, 1021), { stream: true }) + '…';
}
