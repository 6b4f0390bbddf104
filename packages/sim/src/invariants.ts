/** All that must hold of a world, for every app in it: attached here, named in `oracles/catalogue.ts`, each written in a file of its own. */
import type { OracleId } from './oracles/catalogue.ts';
import { noHotLoop } from './oracles/l7-no-hot-loop.ts';
import { calmStorm } from './oracles/l8-calm-storm.ts';
import type { Ears, Finding, IdleSpan, Oracle, OwnWrite } from './oracles/oracle.ts';
import { annotated, copied, programmed, released, rolled, statusHome } from './oracles/outputs.ts';
import { noWrongDelete } from './oracles/s1-no-wrong-delete.ts';
import { honestTime } from './oracles/s10-honest-time.ts';
import { noCrossTenant } from './oracles/s2-no-cross-tenant.ts';
import { ownLane } from './oracles/s3-own-lane.ts';
import { absentIsNotUnknown } from './oracles/s4-absent-is-not-unknown.ts';
import { lossless } from './oracles/s5-lossless.ts';
import { finalizerOrder } from './oracles/s6-finalizer-order.ts';
import { oneWriter } from './oracles/s7-one-writer.ts';
import { containedHook } from './oracles/s8-contained-hook.ts';
import { exactClaims } from './oracles/s9-exact-claims.ts';
import type { Subject } from './oracles/subject.ts';
import type { World } from './world/world.ts';

/** Those that judge one world. L9 is judged when it has stopped, the M rows on several. */
export const invariants: readonly Oracle[] = [
  noWrongDelete,
  noCrossTenant,
  ownLane,
  absentIsNotUnknown,
  lossless,
  finalizerOrder,
  oneWriter,
  containedHook,
  exactClaims,
  honestTime,
  copied,
  annotated,
  programmed,
  statusHome,
  released,
  rolled,
  noHotLoop,
  calmStorm,
];

/** Something that is not yet as it should be in the end. */
export interface Pending {
  readonly oracle: OracleId;
  readonly app: string;
  readonly message: string;
}

/** The oracles of one world, at work. */
export class Invariants {
  /** In the order in which they were found. */
  readonly findings: Finding[] = [];
  /** Oracles that have nothing to judge, by app. */
  readonly withoutSubject = new Map<string, readonly OracleId[]>();
  readonly #pending: { readonly oracle: OracleId; readonly app: string; readonly ask: () => readonly string[] }[] = [];
  readonly #idle: ((span: IdleSpan) => void)[] = [];
  readonly #world: World;

  constructor(world: World, subjects: readonly Subject[]) {
    this.#world = world;
    for (const subject of subjects) this.#hold(subject);
  }

  /** @param dead planes that cannot be reached: what names one of them is left out */
  pending(dead: readonly string[] = []): Pending[] {
    const needs = (message: string): boolean => dead.some((plane) => message.split(/[\s:,]/).includes(plane));
    return this.#pending.flatMap(({ ask, ...who }) =>
      ask()
        .filter((message) => !needs(message))
        .map((message) => ({ ...who, message })),
    );
  }

  /** Judges a span in which nothing changed and nothing went wrong. */
  idle(span: IdleSpan): void {
    for (const judge of this.#idle) judge(span);
  }

  /** What is still pending, once the bound has passed. */
  conclude(dead: readonly string[] = []): void {
    for (const { oracle, app, message } of this.pending(dead))
      this.findings.push({ oracle, app, message, at: this.#world.clock.monotonic() });
  }

  #hold(subject: Subject): void {
    const { truth, audit, wires, deliveries, clock, edges } = this.#world;
    const isOwn = (actor: string): boolean => subject.replicas.includes(actor);
    const attached: Ears[] = [];
    for (const { id: oracle, attach } of invariants.filter(({ has }) => has(subject))) {
      const app = subject.app;
      const ears = attach({
        subject,
        truth,
        report: (message, write) => void this.findings.push({ oracle, app, message, at: clock.monotonic(), write }),
      });
      attached.push(ears);
      if (ears.pending) this.#pending.push({ oracle, app, ask: ears.pending });
      if (ears.idle) this.#idle.push(ears.idle);
    }
    this.withoutSubject.set(
      subject.app,
      invariants.filter(({ has }) => !has(subject)).map(({ id }) => id),
    );
    const each = <Name extends keyof Ears>(name: Name): NonNullable<Ears[Name]>[] =>
      attached.map((ears) => ears[name]).filter((ear) => ear !== undefined);
    const [own, any, delivery, sent, settled, hookCall] = [
      each('ownWrite'),
      each('anyWrite'),
      each('delivery'),
      each('sent'),
      each('settled'),
      each('hookCall'),
    ];
    for (const { observers } of edges.values()) observers.add((call) => hookCall.forEach((judge) => judge(call)));
    audit.judge((write) => {
      for (const judge of any) judge(write);
      if (write.by && isOwn(write.by.actor)) for (const judge of own) judge(write as OwnWrite);
    });
    deliveries.judge((told) => isOwn(told.actor) && delivery.forEach((judge) => judge(told)));
    wires.observe({
      sent: (each) => isOwn(each.actor) && sent.forEach((judge) => judge(each)),
      settled: (each) => isOwn(each.actor) && settled.forEach((judge) => judge(each)),
    });
  }
}
