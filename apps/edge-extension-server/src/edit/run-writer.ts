/** Writes resources as they left in an earlier answer, for as long as what that was decided by stands. */
import type { Writer } from '../wire/writer.ts';
import type { Answered, Fresh } from './draft.ts';
import type { Memory } from './memory.ts';
import type { Recall } from './recall.ts';
import type { Field, Run } from './request.ts';
import { receivedField, ResourceTable } from './resource-table.ts';

/** What is known of one kind of resource. */
export interface RunRules<T> {
  /**
   * Whether what `answered` was decided by stands, for a resource of the same bytes. The same object then, or one that says the same;
   * undefined when it does not.
   * @param from where the resource's value begins in the request @param ordinal its place among all of the request
   */
  standing(answered: T, from: number, ordinal: number): T | undefined;
  /** A resource leaves as it did before. */
  again(answered: T): void;
  /**
   * Decides about a resource and writes its field. Undefined: it left, and nothing is written.
   * @param before how the same bytes were answered
   */
  anew(received: Field, ordinal: number, before: T | undefined): T | undefined;
}

export interface RunWriterOptions<T> {
  readonly out: Writer;
  readonly memory: Memory;
  readonly recall: Recall<T>;
}

/** What changes is remembered in both forms: a connector that comes back, or goes again, is answered with the bytes of then. */
export class RunWriter<T extends Answered<T>> {
  readonly #options: RunWriterOptions<T>;
  readonly #rules: RunRules<T>;
  #table = new ResourceTable<T>();
  #fresh: Fresh[] = [];

  constructor(options: RunWriterOptions<T>, rules: RunRules<T>) {
    this.#options = options;
    this.#rules = rules;
  }

  /** Those that were written into the table and that no earlier answer had. */
  get fresh(): readonly Fresh[] {
    return this.#fresh;
  }

  /** What is written from now on goes into this table. */
  begin(table: ResourceTable<T>): void {
    table.clear();
    this.#table = table;
    this.#fresh = [];
  }

  /** @param ordinal of the first */
  write(run: Run, ordinal: number): void {
    if (run.held < 0) return void this.#anew(run, ordinal, undefined);
    const held = this.#options.recall.table;
    const by = run.start - held.receivedStart(run.held);
    const end = run.held + run.count;
    let first = run.held;
    for (let number = first; number < end; number++) {
      const answered = held.item(number);
      const place = ordinal + number - run.held;
      const standing = this.#rules.standing(answered, held.receivedFrom(number) + by, place);
      if (standing) this.#rules.again(standing);
      if (standing === answered) continue;
      this.#copy([first, number], by);
      first = number + 1;
      if (standing) {
        this.#copy([number, first], by);
        this.#table.replaceLast(standing);
      } else this.#change(number, by, place);
    }
    this.#copy([first, end], by);
  }

  /** Those of the last answer, in one piece. @param by how far they have moved in the request */
  #copy([first, end]: readonly [number, number], by: number): void {
    if (first === end) return;
    const { out, memory, recall } = this.#options;
    const start = recall.table.writtenStart(first);
    const written = out.length - start;
    out.copyOf(memory.bytes, start, recall.table.writtenTo(end - 1));
    this.#table.addAgain(recall.table, [first, end], { received: by, written });
  }

  /** One with the same bytes, and something else to be decided by. */
  #change(number: number, by: number, ordinal: number): void {
    const held = this.#options.recall.table;
    const answered = held.item(number);
    const received = receivedField(held, number, by);
    const now = this.#asBefore(answered.other, received, ordinal) ?? this.#anew(received, ordinal, answered);
    // Who is told of is not recalled, and so not worth keeping.
    if (!now || now.isTold || answered.isTold) return;
    this.#keep(number);
    now.other = answered;
    answered.other = now;
  }

  /** Undefined: what it was decided by before is not so either, or its bytes are not there. */
  #asBefore(other: T | undefined, received: Field, ordinal: number): T | undefined {
    if (!other?.kept) return undefined;
    const before = this.#rules.standing(other, received.from, ordinal);
    if (!before) return undefined;
    const { out } = this.#options;
    const start = out.length;
    out.part(other.kept, 0, other.kept.length);
    this.#table.add(before, received, { start, to: out.length });
    this.#rules.again(before);
    return before;
  }

  /** Its field in the last answer, which will be written over. */
  #keep(number: number): void {
    const { memory, recall } = this.#options;
    const answered = recall.table.item(number);
    if (answered.kept) return;
    const start = recall.table.writtenStart(number);
    const to = recall.table.writtenTo(number);
    // Not of Node's pool: a few bytes of it, kept for days, would keep all of what they were cut from.
    answered.kept = Buffer.allocUnsafeSlow(to - start);
    memory.bytes.copy(answered.kept, 0, start, to);
  }

  #anew(received: Field, ordinal: number, before: T | undefined): T | undefined {
    const { out } = this.#options;
    const start = out.length;
    const answered = this.#rules.anew(received, ordinal, before);
    if (!answered) return undefined;
    this.#fresh.push({ number: this.#table.size, ordinal });
    this.#table.add(answered, received, { start, to: out.length });
    return answered;
  }
}
