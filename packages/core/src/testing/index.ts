export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { seeded } from '../random.ts';
