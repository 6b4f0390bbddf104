/** M3 and M4: what the end may not depend on. */
import type { Finding } from '../oracles/oracle.ts';
import type { Scenario } from '../schedule/scenario.ts';
import { type ActStep, type Schedule, withSteps } from '../schedule/step.ts';
import { run } from './run.ts';

export interface Metamorphosis {
  /** M3: the acts that bring about the last state of everything, afresh. */
  readonly afresh: (acts: readonly ActStep[]) => readonly ActStep[];
  /** M4: whether two acts have nothing to do with each other. */
  readonly independent: (a: ActStep, b: ActStep) => boolean;
}

/** M3. @param schedule without faults */
export async function pathFinding(
  scenario: Scenario,
  schedule: Schedule,
  { afresh }: Pick<Metamorphosis, 'afresh'>,
): Promise<Finding | undefined> {
  const short = withSteps(schedule, afresh(actsOf(schedule)));
  const difference = await endsApart(scenario, schedule, short);
  return finding('M3', 'the way to the last state shows', difference);
}

/** M4: neighbours in time that have nothing to do with each other change places, one pair after the other. @param schedule without faults */
export async function orderFinding(
  scenario: Scenario,
  schedule: Schedule,
  { independent }: Pick<Metamorphosis, 'independent'>,
): Promise<Finding | undefined> {
  const acts = actsOf(schedule).toSorted((a, b) => timeOf(a) - timeOf(b));
  for (let i = 0; i + 1 < acts.length; i += 2) {
    const [a, b] = [acts[i] as ActStep, acts[i + 1] as ActStep];
    if (independent(a, b)) acts.splice(i, 2, { ...b, at: a.at }, { ...a, at: b.at });
  }
  const difference = await endsApart(scenario, schedule, withSteps(schedule, acts));
  return finding('M4', 'the order shows', difference);
}

const finding = (oracle: 'M3' | 'M4', what: string, difference: string | undefined): Finding | undefined =>
  difference === undefined ? undefined : { oracle, app: 'all', at: 0, message: `${what}: ${difference}` };

const actsOf = ({ steps }: Schedule): readonly ActStep[] => steps.filter((step) => step.step === 'act');
const timeOf = ({ at }: ActStep): number => (typeof at === 'number' ? at : Infinity);

async function endsApart(scenario: Scenario, a: Schedule, b: Schedule): Promise<string | undefined> {
  const [one, other] = [await run(scenario, a), await run(scenario, b)];
  const wrong = [...one.findings, ...other.findings][0];
  if (wrong) return `${wrong.oracle} ${wrong.message}`;
  const lines = other.end().split('\n');
  const apart = one
    .end()
    .split('\n')
    .find((line) => !lines.includes(line));
  return apart ?? (one.end() === other.end() ? undefined : 'more is left');
}
