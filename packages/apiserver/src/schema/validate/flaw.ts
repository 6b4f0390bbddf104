/** One thing that is wrong with one value. */
import type { Cause } from '../../api-error.ts';
import { child, type FieldPath } from '../../field-error.ts';

/** Where a value is that a flaw is told of. */
export interface Place {
  /** Of the value within what is validated: `spec.list[0]`; `''` for the whole. Messages name it. */
  readonly name: FieldPath;
  /** Of what is validated within the object: `''`, or `status` when only that is. */
  readonly root: FieldPath;
}

export interface Flaw {
  readonly rank: Rank;
  readonly tell: (at: Place) => readonly Cause[];
}

/** The order in which a real server looks at one value, and so tells of it. Members and items come at their place in it. */
export const rank = {
  type: 0,
  composition: 1,
  maxLength: 2,
  minLength: 3,
  pattern: 4,
  format: 5,
  number: 6,
  items: 7,
  listSize: 8,
  enum: 9,
  objectSize: 10,
  members: 11,
  required: 12,
} as const;

export type Rank = (typeof rank)[keyof typeof rank];

/** What a server calls a path that it does not know. */
const unnamed = '<nil>';

export const fieldAt = ({ name, root }: Place): FieldPath => (name === '' ? root || unnamed : child(root, name));

/** Where flaws are told that the real server has no field for. */
export const rootField = ({ root }: Place): FieldPath => root || unnamed;
