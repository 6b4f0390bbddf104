export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { seeded } from '../random.ts';
export { chosenSteps, seeds, seedsLimitMs, sized } from './seeds.ts';
