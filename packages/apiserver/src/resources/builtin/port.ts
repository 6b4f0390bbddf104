/** Ports, as Services, EndpointSlices and containers have them. */
import type { Cause } from '../../api-error.ts';
import { choiceFlaws, invalidValue } from '../../field-error.ts';

export const protocolFlaws = (field: string, protocol: string): readonly Cause[] =>
  choiceFlaws(field, protocol, ['SCTP', 'TCP', 'UDP']);

export const portNumberFlaws = (field: string, port: number): readonly Cause[] =>
  port >= 1 && port <= 65_535 ? [] : [invalidValue(field, port, 'must be between 1 and 65535, inclusive')];
