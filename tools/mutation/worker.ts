/** The process that `crew.ts` asks: it answers each question with one message. */
import type { Mutant, Verdict } from '../mutants/types.ts';
import { createMutator } from './mutator.ts';

/** What passes in a clean test file, or how a mutant fares. */
export type Question = { readonly clean: string } | { readonly mutant: Mutant };

/** The answer to it; `clean` is a text when something fails without any mutant. */
export type AnswerTo<Q extends Question> = Q extends { clean: string }
  ? { readonly clean: readonly string[] | string }
  : { readonly verdict: Verdict };

const mutator = await createMutator();

async function answer(question: Question): Promise<AnswerTo<Question>> {
  if ('clean' in question) return { clean: await mutator.clean(question.clean) };
  return { verdict: await mutator.judge(question.mutant) };
}

process.on('message', (question: Question) => void answer(question).then((given) => process.send?.(given)));
process.on('disconnect', () => process.exit());
