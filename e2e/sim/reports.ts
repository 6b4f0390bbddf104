/**
 * The public bug reports that a test is named after, and what of the simulator covers each: the faults that bring it about in a world, and the
 * oracles that must then speak.
 */
import type { FaultId, OracleId } from '@lifeline/sim';

export interface CoveredBy {
  readonly faults: readonly [FaultId, ...FaultId[]];
  readonly oracles: readonly [OracleId, ...OracleId[]];
}

const by = (faults: CoveredBy['faults'], oracles: CoveredBy['oracles']): CoveredBy => ({ faults, oracles });

/** By the report's id. */
export const reports: Readonly<Record<string, CoveredBy>> = {
  // Mirrored status: size, numbers, shape.
  C01: by(['F26'], ['L1', 'L2', 'L8']),
  C03: by(['F26'], ['S5']),
  C04: by(['F12', 'F01'], ['L7', 'S5']),
  C07: by(['F22'], ['L4', 'L7']),
  C09: by(['F26'], ['S10', 'L7']),
  // Names, labels, identity.
  C11: by(['F26'], ['L1']),
  C13: by(['F26'], ['S1', 'S2']),
  C15: by(['F26'], ['S1', 'L3']),
  // Deletion, orphans, finalizers.
  C16: by(['F09', 'F10'], ['S1', 'L1']),
  C18: by(['F01', 'F08', 'F15'], ['S4', 'S1']),
  C19: by(['F17'], ['S1']),
  C21: by(['F17', 'F19'], ['L5', 'S6']),
  C23: by(['F17'], ['L1', 'M2']),
  C24: by(['F02', 'F03'], ['S7', 'L1']),
  C25: by(['F14'], ['S6', 'S3']),
  C26: by(['F16'], ['L5', 'L8']),
  // Many control planes.
  C27: by(['F16'], ['S4', 'L8', 'L1']),
  C28: by(['F21'], ['L9', 'S1']),
  C29: by(['F21'], ['L9']),
  C30: by(['F15', 'F01'], ['L8', 'S7']),
  // Informer, reflector, queue, HTTP.
  C32: by(['F11'], ['L1']),
  C34: by(['F07'], ['S1', 'L1']),
  C36: by(['F12'], ['L8', 'L1']),
  C37: by(['F12', 'F13'], ['S1', 'S4']),
  C38: by(['F15'], ['L8']),
  C40: by(['F13', 'F26'], ['S4', 'S5']),
  C42: by(['F16'], ['S4', 'L8']),
  C44: by(['F26'], ['L1', 'S8']),
  C45: by(['F14', 'F05'], ['L8', 'L7']),
  // Leases and time.
  C46: by(['F23'], ['S7', 'S10']),
  C48: by(['F04', 'F05'], ['S7']),
  C49: by(['F15', 'F19'], ['L8', 'L3']),
  // Extension server and re-translation.
  C50: by(['F26'], ['S8', 'L3']),
  C53: by(['F25', 'F26'], ['S8', 'L3']),
  C54: by(['F24', 'F26'], ['S8']),
  C56: by(['F01', 'F25'], ['S8', 'L3']),
  C58: by(['F18', 'F22'], ['L3', 'L5']),
  C59: by(['F26'], ['S8']),
  // Federation, instances, quota.
  C60: by(['F14', 'F22'], ['L4']),
  C62: by(['F14', 'F17'], ['S3']),
  C63: by(['F16'], ['L6', 'S1']),
  C64: by(['F02', 'F16'], ['S9']),
  // Admin commands.
  C67: by(['F13', 'F19'], ['S1', 'S4']),
};
