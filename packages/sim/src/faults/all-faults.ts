/** The faults that a run injects by itself. F18, F21, F24 and F26 are a scenario's to draw: only it knows its users. */
import type { FaultId } from './catalogue.ts';
import { gap, repeat, skewedLag } from './delivery-faults.ts';
import type { Fault } from './fault.ts';
import { hopDisorder } from './hop-faults.ts';
import { hookFault } from './hook-faults.ts';
import { cutList, expire } from './list-faults.ts';
import { timeTravel } from './plane-faults.ts';
import { clockSkew, crashAfterWrite, lostReply, pause, twoWriters, upgradeRestart } from './process-faults.ts';
import { conflict, foreignHand } from './stranger-faults.ts';
import { lostRequest, oneWay, refuse, silentWatch, swizzle, throttle } from './wire-faults.ts';

export const injectedFaults: readonly Fault[] = [
  crashAfterWrite,
  lostReply,
  lostRequest,
  pause,
  twoWriters,
  upgradeRestart,
  timeTravel,
  skewedLag,
  gap,
  repeat,
  silentWatch,
  expire,
  cutList,
  conflict,
  throttle,
  refuse,
  foreignHand,
  oneWay,
  swizzle,
  hopDisorder,
  clockSkew,
  hookFault,
];

const byId = new Map<FaultId, Fault>(injectedFaults.map((fault) => [fault.id, fault]));

/** @throws TypeError for one that only a scenario can bring about */
export function injectedFault(id: FaultId): Fault {
  const found = byId.get(id);
  if (!found) throw new TypeError(`${id} is no fault that a run injects`);
  return found;
}
