/**
 * `npm run demo`: shows what exists. It grows with the platform, and says what is not there yet.
 */
import { seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';

const clock = new VirtualClock();
const random = seeded('demo');
console.log(
  `Lifeline, ${new Date(clock.now()).toISOString()} on the virtual clock, seed "demo" (first id ${random.uuid()}).`,
);
console.log('There is no app yet: nothing to show but the clock and the seeded random source above.');
