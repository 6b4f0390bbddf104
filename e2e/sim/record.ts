/**
 * `node --conditions=@lifeline/source e2e/sim/record.ts SCENARIO SEED [STEPS] > e2e/sim/regressions/NAME.json`: a schedule as it was drawn,
 * written down, so that it stays what it is when draws change. STEPS are those that a failure names: `3,7`.
 */
import { drawSchedule, withSteps } from '@lifeline/sim';
import { scenarioOf } from './scenarios.ts';

const [name, seed, steps] = process.argv.slice(2);
const drawn = drawSchedule(scenarioOf(name), Number(seed));
const ids = steps?.split(',').map(Number);
const schedule = ids
  ? withSteps(
      drawn,
      drawn.steps.filter(({ id }) => ids.includes(id)),
    )
  : drawn;
console.log(JSON.stringify({ what: 'WHAT WENT WRONG', scenario: name, schedule }, undefined, 2));
