/** Copies of a kind of which an engaged project has nothing left: it may be so, or the plane may have lost its data. */
import type { DurationMs } from '@lifeline/core';
import type { Permit, SweepGate } from './gate.ts';

export interface Emptied {
  readonly project: string;
  /** Of the kind. */
  readonly id: string;
  /** How many copies of the kind the project has on the hub. */
  readonly copies: number;
  /** The plane has at least one of the Namespaces that the project's copies came from. */
  readonly knowsTheirNamespaces: boolean;
}

export class EmptiedKinds {
  readonly #gate: SweepGate;
  readonly #believed: ReadonlySet<string>;
  /** By project, the kinds that it showed nothing of. */
  readonly #doubted = new Map<string, Set<string>>();

  /** @param believed projects whose planes are empty because somebody says so */
  constructor(gate: SweepGate, believed: Iterable<string> = []) {
    this.#gate = gate;
    this.#believed = new Set(believed);
  }

  /**
   * Whether one more copy may be taken off. A plane that knows none of the Namespaces that its copies came from is not the plane that they
   * came from, or has lost its data: it is refused until an operator says otherwise.
   */
  permit({ project, id, copies, knowsTheirNamespaces }: Emptied): Permit {
    const subject = subjectOf(project, id);
    this.#doubted.set(project, (this.#doubted.get(project) ?? new Set<string>()).add(id));
    this.#gate.found(subject, copies);
    if (knowsTheirNamespaces || this.#believed.has(project)) return this.#gate.permit(subject);
    this.#gate.count('refused');
    return { at: 'wait', afterMs: this.everyMs };
  }

  /** The project has something of the kind. */
  back(project: string, id: string): void {
    const ids = this.#doubted.get(project);
    if (!ids?.delete(id)) return;
    if (ids.size === 0) this.#doubted.delete(project);
    this.#gate.forget(subjectOf(project, id));
  }

  /** One copy less. @param copies how many are left; asked only where it matters */
  left(project: string, id: string, copies: () => number): void {
    if (this.#doubted.get(project)?.has(id) !== true) return;
    const count = copies();
    if (count === 0) this.back(project, id);
    else this.#gate.found(subjectOf(project, id), count);
  }

  /** The project is not looked after here any more. */
  drop(project: string): void {
    for (const id of this.#doubted.get(project) ?? []) this.back(project, id);
  }

  deleted(copies: number): void {
    this.#gate.count('deleted', copies);
  }

  get everyMs(): DurationMs {
    return this.#gate.rules.everyMs;
  }
}

const subjectOf = (project: string, id: string): string => `${id} ${project}`;
