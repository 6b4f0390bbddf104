/** The planes as they are, and as they were: what oracles judge by. Never a controller's own view. */
import {
  type DurationMs,
  isDeleting,
  keyOf,
  type Kind,
  kindId,
  type KubeObject,
  type MonotonicMs,
  type ObjectName,
  objectKey,
} from '@lifeline/core';
import type { Plane } from '../world/plane.ts';
import type { Write } from '../world/record.ts';

export interface TruthOptions {
  readonly planes: ReadonlyMap<string, Plane>;
  readonly writes: readonly Write[];
  readonly now: () => MonotonicMs;
}

export class Truth {
  readonly #options: TruthOptions;

  constructor(options: TruthOptions) {
    this.#options = options;
  }

  get now(): MonotonicMs {
    return this.#options.now();
  }

  get planes(): Iterable<Plane> {
    return this.#options.planes.values();
  }

  has(plane: string): boolean {
    return this.#options.planes.has(plane);
  }

  plane(name: string): Plane {
    const found = this.#options.planes.get(name);
    if (!found) throw new TypeError(`no plane ${name}`);
    return found;
  }

  get<T extends KubeObject>(plane: string, kind: Kind<T>, name: ObjectName): T | undefined {
    return this.plane(plane).api.get(kind, name);
  }

  objects<T extends KubeObject>(plane: string, kind: Kind<T>): readonly T[] {
    return this.plane(plane).api.objects(kind);
  }

  /** States that an object had within the last while, the newest first; undefined: it was not there. The present one is always among them. */
  *lately(plane: string, kind: Kind, { name, withinMs }: Lately): Generator<KubeObject | undefined, void> {
    yield this.get(plane, kind, name);
    const { writes, now } = this.#options;
    const since = now() - withinMs;
    for (let i = writes.length - 1; i >= 0; i--) {
      const write = writes[i] as Write;
      if (write.at < since) return;
      const { object, previous } = write.revision;
      if (write.plane === plane && kindIdOf(object) === kind.id && keyOf(object) === objectKey(name)) yield previous;
    }
  }
}

export interface Lately {
  readonly name: ObjectName;
  readonly withinMs: DurationMs;
}

/** The kind that an object says it is of, as kinds call it. */
export function kindIdOf({ apiVersion, kind }: KubeObject): string {
  const slash = apiVersion.indexOf('/');
  return kindId(slash < 0 ? '' : apiVersion.slice(0, slash), kind);
}

/** It is there, and nobody has asked for its end. */
export const isLive = (object: KubeObject | undefined): object is KubeObject =>
  object !== undefined && !isDeleting(object);
