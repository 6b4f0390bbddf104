/** Code that the test of `subject.ts` never loads. */
export const unrelated = 1;
