/**
 * What the API server enforces beyond a kind's shape: limits, enums, defaults, CEL.
 *
 * They stand beside the field they are about, but parsing never runs them: an object that a server served has passed them already, and
 * one that an older CRD let through must still be readable. The CRD generator writes them out.
 */
import { z } from 'zod';

/** One rule of `x-kubernetes-validations`. */
export interface CelRule {
  readonly rule: string;
  /** What the user reads when it does not hold. */
  readonly message: string;
}

export interface ServerRules {
  readonly description?: string;
  /** JSON that the server fills in when the field is absent. Must itself pass the rules. */
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Fields of this object that a writer must set, although readers do without. Those that the shape requires need no mention. */
  readonly required?: readonly string[];
  /** Fields that the shape does not name are stored too, not pruned. */
  readonly open?: true;
  /** Server-side apply owns and replaces this object as one value. */
  readonly atomic?: true;
  readonly cel?: readonly CelRule[];
}

/** `z.string().register(serverRules, { minLength: 1 })`. Rules belong to that schema instance: never register on a shared one twice. */
export const serverRules: z.core.$ZodRegistry<ServerRules> = z.registry<ServerRules>();
