/** A control plane of a world: an API server in this process, under a URL of its own. */
import type { ApiServer } from '@lifeline/apiserver';
import type { Clock, Kind, Random } from '@lifeline/core';
import type { PlaneRole } from '../plane-roles.ts';
import type { SkewedClock } from './skewed-clock.ts';

export interface PlaneSpec {
  /** Unique in its world; a DNS label. */
  readonly name: string;
  readonly role: PlaneRole;
  /** Kinds beside the built-in ones. Default: those of the role. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Another URL that leads to it, as a path of the control plane leads to a project's. */
  readonly alias?: string | undefined;
}

export interface Plane {
  readonly name: string;
  readonly role: PlaneRole;
  /** Where kubeconfigs lead. */
  readonly url: string;
  readonly alias: string | undefined;
  readonly api: ApiServer;
  /** The plane's own. */
  readonly clock: SkewedClock;
}

/** The URL of a plane, for kubeconfigs. */
export const urlOf = (plane: string): string => `https://${plane}.test`;

export interface PlaneParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: readonly Kind[];
}

/** Makes the API server behind a plane. */
export type ApiFactory = (parts: PlaneParts) => ApiServer;
