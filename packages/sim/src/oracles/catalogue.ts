/** What must hold: each statement once, under the id by which tests, mutants and reports name it. */

export interface OracleEntry {
  readonly id: string;
  readonly name: string;
  readonly statement: string;
  /**
   * `write`: judged at the audit tap, on each write, against the newest revision. `converged`: judged when faults have stopped and the bound
   * has passed. `run`: judged on whole runs.
   */
  readonly judged: 'write' | 'converged' | 'run';
}

const oracle = <const Id extends string>(
  id: Id,
  name: string,
  statement: string,
): OracleEntry & { readonly id: Id } => ({
  id,
  name,
  statement,
  judged: id.startsWith('S') ? 'write' : id.startsWith('L') ? 'converged' : 'run',
});

/** In the order of their ids. */
export const oracleCatalogue = [
  oracle(
    'S1',
    'no-wrong-delete',
    'a delete of ours has a UID precondition, is of what carries our mark, and its upstream is gone, deleting, unselected or of a project that is gone',
  ),
  oracle('S2', 'no-cross-tenant', "no value of one project appears in another's object, annotation, route or cluster"),
  oracle('S3', 'own-lane', 'each field manager writes only what it declared: no foreign condition, no blind list'),
  oracle('S4', 'absent-is-not-unknown', 'nothing is concluded to be gone from an unsynced, partial or failed read'),
  oracle('S5', 'lossless', 'mirrored text is canonical, and digit-equal to upstream'),
  oracle(
    'S6',
    'finalizer-order',
    'ours leaves only after copy and anchor are gone, foreign ones stay, and none is added to what is dying',
  ),
  oracle('S7', 'one-writer', 'one worker a key, and no write after our lease could have been taken'),
  oracle(
    'S8',
    'contained-hook',
    'the fault of an object is never an error of the call; the answer is valid; what we do not touch is equal',
  ),
  oracle('S9', 'exact-claims', 'one claim a live Instance uid, and no gate opened without a grant'),
  oracle(
    'S10',
    'honest-time',
    'lastTransitionTime moves exactly when the status flips; only local monotonic time decides liveness',
  ),
  oracle('L1', 'copy', 'the copy is a pure function of upstream and policy'),
  oracle('L2', 'annotation-is-status', 'the edge annotation is the canonical upstream status, and gone when that is'),
  oracle('L3', 'programmed-is-intended', "every Gateway's program is the intent computed from the truth"),
  oracle('L4', 'status-home', 'the status of the project is a function of the status of the cell'),
  oracle('L5', 'released', 'every deleted object is gone: no finalizer, anchor or orphan of ours is left'),
  oracle('L6', 'rolled', 'the newest good template is everywhere, even past a broken one'),
  oracle('L7', 'no-hot-loop', 'an idle world is not written to, and asked no more than the floor asks'),
  oracle(
    'L8',
    'calm-storm',
    'at most ten tries a second of one key; a pause that was asked for is kept; a quiet project is served',
  ),
  oracle('L9', 'no-leak', 'watches, timers and what is remembered return to where they were'),
  oracle('M1', 'replay', 'a seed gives one trace, in another process too'),
  oracle(
    'M2',
    'twin',
    'the end is that of the run without faults, with no more creates and deletes than foreign deletes explain',
  ),
  oracle('M3', 'path', 'a sequence of states ends where its last state, made afresh, ends'),
  oracle('M4', 'order', 'swapping independent operations changes no end'),
  oracle('M5', 'not-vacuous', 'in a batch every fault fired and mattered'),
] as const;

export type OracleId = (typeof oracleCatalogue)[number]['id'];

const byId = new Map<string, OracleEntry>(oracleCatalogue.map((entry) => [entry.id, entry]));

/** @throws TypeError for an id that the catalogue does not have */
export function oracleEntry(id: OracleId): OracleEntry {
  const found = byId.get(id);
  if (!found) throw new TypeError(`no oracle ${id as string}`);
  return found;
}
