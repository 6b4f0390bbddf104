export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { seeded } from '../random.ts';
export { seeds } from './seeds.ts';
