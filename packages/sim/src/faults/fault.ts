/** What a fault is: how it is drawn, how it begins, and how it is put right. */
import type { DurationMs, JsonObject, Random } from '@lifeline/core';
import type { AfterWrite, FaultStep } from '../schedule/step.ts';
import type { PlaneRole } from '../plane-roles.ts';
import type { World } from '../world/world.ts';
import type { WireSelection } from '../world/wires.ts';
import type { FaultId } from './catalogue.ts';

/** What there is in a world that something can go wrong with. */
export interface Terrain {
  readonly replicas: readonly string[];
  readonly planes: readonly { readonly name: string; readonly role: PlaneRole }[];
  /** Ids of kinds that caches hold. */
  readonly kinds: readonly string[];
  /** How many versions there are of the apps. */
  readonly versions: number;
  /** Effective writes that a replica makes when nothing goes wrong, about. */
  readonly writes: number;
  readonly stormMs: DurationMs;
}

/** A draw of a fault; what is left out, the runner draws. */
export interface Drawn {
  readonly args: JsonObject;
  readonly at?: AfterWrite | undefined;
  readonly forMs?: DurationMs | undefined;
}

/** What a fault that has begun works with. */
export interface FaultSite {
  readonly world: World;
  readonly step: FaultStep;
  /** A stream of the step's own. */
  readonly random: Random;
  /** It did something to somebody. */
  readonly fired: () => void;
}

export interface Fault {
  readonly id: FaultId;
  /** Undefined: the world has no place for it. */
  readonly draw: (random: Random, terrain: Terrain) => Drawn | undefined;
  /** How readily it is drawn, against 1 of most. */
  readonly weight?: ((terrain: Terrain) => number) | undefined;
  /** Counts writes by itself: it begins with the run, whatever write it waits for. */
  readonly countsWrites?: boolean | undefined;
  /** Lets it go wrong. Disposing puts it right; undefined: there is nothing to put right. */
  readonly begin: (site: FaultSite) => Disposable | undefined;
}

export const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

/** One of them, or all in one case of three: `undefined`. */
export const pickSome = (random: Random, all: readonly string[]): string | undefined =>
  random.int(3) === 0 ? undefined : pick(random, all);

/** A whole number between the two, both included. */
export const between = (random: Random, least: number, most: number): number => least + random.int(most - least + 1);

/** Disposes all of them. */
export function together(...all: readonly (Disposable | undefined)[]): Disposable {
  return {
    [Symbol.dispose]: () => {
      for (const each of all) each?.[Symbol.dispose]();
    },
  };
}

export const undo = (act: () => void): Disposable => ({ [Symbol.dispose]: act });

/** A text among a step's arguments. */
export const textArg = ({ args }: FaultStep, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
};

/** A number among a step's arguments. */
export const numberArg = ({ args }: FaultStep, name: string, fallback: number): number => {
  const value = args[name];
  return typeof value === 'number' ? value : fallback;
};

/** The wires that a step names. */
export const wiresOf = ({ step }: Pick<FaultSite, 'step'>): WireSelection => ({
  actor: textArg(step, 'replica'),
  plane: textArg(step, 'plane'),
});
