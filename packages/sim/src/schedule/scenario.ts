/** A kind of world with its users: what an app brings to be simulated. */
import type { DurationMs, JsonObject, Random } from '@lifeline/core';
import type { FaultId } from '../faults/catalogue.ts';
import type { Terrain } from '../faults/fault.ts';
import type { Subject } from '../oracles/subject.ts';
import type { World, WorldSpec } from '../world/world.ts';
import type { ActStep } from './step.ts';

/** Carries out what a user does. Waits for what it must wait for; ends well whatever state it meets. */
export type Act = (world: World, args: JsonObject, random: Random) => Promise<void>;

/** A world, ready to be made. */
export interface Setting {
  readonly world: Omit<WorldSpec, 'seed'>;
  readonly subjects: readonly Subject[];
  readonly terrain: Terrain;
  /** What is there before the apps start: namespaces, classes. */
  readonly prepare?: ((world: World) => Promise<void>) | undefined;
}

/** What users do, without ids. */
export type DrawnAct = Omit<ActStep, 'id' | 'step'>;

export interface Scenario {
  readonly name: string;
  /** The test that runs it, from the root of the repository. */
  readonly file: string;
  /** Draws what the world is like: sizes, knobs (F24). Plain values. */
  readonly shape: (random: Random) => JsonObject;
  /** Draws what users do, hostile inputs (F26), reincarnations (F18) and churn (F21) included, and for how long. */
  readonly workload: (random: Random, shape: JsonObject) => Workload;
  readonly setting: (shape: JsonObject) => Setting;
  readonly acts: Readonly<Record<string, Act>>;
  /** What an act is about: two that are about one thing, close together, may be seen as one. */
  readonly about?: ((act: ActStep) => string) | undefined;
  /** Takes out of an end's text what tells of the way there: what a message says, what was counted. One line an object. */
  readonly blur?: ((end: string) => string) | undefined;
  /** By when all is as it should be, given what went wrong; how long what shows in no write may outlast it; and how long it must stay so. */
  readonly pace: (shape: JsonObject, fired: ReadonlySet<FaultId>) => Pace;
  /** Faults that shape and workload draw by themselves, by what they drew. */
  readonly drawnFaults?: ((shape: JsonObject) => readonly FaultId[]) | undefined;
}

export interface Pace {
  readonly boundMs: DurationMs;
  /** Pauses after failures, watches that are given up late. */
  readonly restMs: DurationMs;
  readonly idleMs: DurationMs;
}

export interface Workload {
  readonly acts: readonly DrawnAct[];
  readonly stormMs: DurationMs;
}
