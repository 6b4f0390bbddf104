/** Holds every write against what its controller declared. */
import { KubeError } from '../client/kube-error.ts';
import type { Write } from '../fleet/cluster.ts';
import type { Verb, WriteRight } from './define-controller.ts';
import { type FieldPath, formatFieldPath, isWithin, parseFieldPath } from './field-path.ts';
import { type WrittenPath, writtenPaths } from './written-paths.ts';

interface Lane {
  readonly right: WriteRight;
  readonly fields: readonly FieldPath[];
}

/** The declared rights of one controller, made ready to be asked. */
export class WriteGuard {
  readonly #controller: string;
  readonly #lanes: readonly Lane[];

  constructor({ name, writes }: { readonly name: string; readonly writes: readonly WriteRight[] }) {
    this.#controller = name;
    this.#lanes = writes.map((right) => ({
      right,
      fields: right.fields.flatMap((field) => {
        const path = parseFieldPath(field);
        return path ? [path] : [];
      }),
    }));
  }

  /**
   * The row that allows a write; its owner is the field manager.
   *
   * @throws KubeError `not-declared` when no row has the plane, kind and verb, when none covers all that is written (the message names
   * the paths), when status is written past its subresource or anything else through it, and for a delete without a uid
   */
  rightFor(plane: string, write: Write): WriteRight {
    const { kind, verb } = write;
    const what = `${verb} of ${kind.id} in plane ${plane}`;
    if (verb === 'delete' && !write.uid) throw this.#refusal(`${what} without a uid`);
    const lanes = this.#lanes.filter(({ right }) => allows(right, plane, { kindId: kind.id, verb }));
    if (lanes.length === 0) throw this.#refusal(what);

    // Whether a status is where it belongs is to be told of all that is written.
    const isAllowed = (path: FieldPath): boolean =>
      path.length > 0 &&
      !isMisplaced({ path, empty: false }, write) &&
      lanes.every(({ fields }) => isBelow(path, fields));
    const written = writtenPaths(write, isAllowed);
    const misplaced = written.filter((entry) => isMisplaced(entry, write));
    if (misplaced.length > 0) {
      const through = isStatusWrite(write) ? 'through the status subresource' : 'past the status subresource';
      throw this.#refusal(`${what}: ${list(misplaced)} ${through}`);
    }
    const outside = lanes.map(({ fields }) => written.filter((entry) => !isCovered(entry, fields)));
    const [fit] = lanes.filter((_, index) => outside[index]?.length === 0);
    if (fit) return fit.right;
    throw this.#refusal(`${what}: ${list(outside[0] ?? [])}`);
  }

  #refusal(what: string): KubeError {
    return new KubeError('not-declared', `controller ${this.#controller} did not declare: ${what}`);
  }
}

const allows = (right: WriteRight, plane: string, { kindId, verb }: { kindId: string; verb: Verb }): boolean =>
  right.plane === plane && right.kind.id === kindId && right.verbs.includes(verb);

const isBelow = (path: FieldPath, fields: readonly FieldPath[]): boolean =>
  fields.some((field) => isWithin(path, field));

const isCovered = ({ path, empty }: WrittenPath, fields: readonly FieldPath[]): boolean =>
  isBelow(path, fields) || (empty && fields.some((field) => isWithin(field, path)));

const isStatusWrite = (write: Write): boolean => 'subresource' in write && write.subresource === 'status';

/** The server would drop it without a word. */
function isMisplaced({ path }: WrittenPath, write: Write): boolean {
  if (isStatusWrite(write)) return path[0] !== 'status';
  return write.kind.statusSubresource && path[0] === 'status';
}

const list = (written: readonly WrittenPath[]): string =>
  [...new Set(written.map(({ path }) => formatFieldPath(path)))].join(', ');
