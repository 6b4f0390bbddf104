/** All cases, in the order in which they are reported. */
import type { TestCase } from '../test-case.ts';
import { concurrencyCases } from './concurrency.ts';
import { metadataCases } from './metadata.ts';
import { objectCases } from './objects.ts';

export const conformanceCases: readonly TestCase[] = [objectCases, metadataCases, concurrencyCases].flat();
