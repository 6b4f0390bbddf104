/** Printer columns that many kinds share. */
import type { PrinterColumn } from './kind.ts';

export const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** A field of the condition `type`; by default its status, in a column of that name. */
export const conditionColumn = (
  type: string,
  field: 'status' | 'reason' | 'message' = 'status',
  column: Partial<PrinterColumn> = {},
): PrinterColumn => ({
  name: type,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="${type}")].${field}`,
  ...column,
});
