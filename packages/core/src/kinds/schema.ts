/**
 * The words that kinds are written in.
 *
 * Every optional field is `nullish`: Go clients and old objects send `null` where they mean "absent". Numbers that may pass 2^53 are
 * `int64`. Patterns and limits are `serverRules`, never zod checks: a schema runs on every object that is read.
 */
import { z } from 'zod';
import { JsonNumber } from '../json/value.ts';
import { objectMetaSchema } from '../meta/object.ts';
import { serverRules } from './server-rules.ts';

/**
 * An object with at least these fields. Loose at run time: unknown fields pass and are kept. Its type names the known ones only, so a
 * misspelt field is a compile error.
 */
export const fields = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S> => z.looseObject(shape);

const envelope = { apiVersion: z.string(), kind: z.string(), metadata: objectMetaSchema };

/** A whole Kubernetes object: the fields that all have, and these. */
export const kubeObject = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<typeof envelope & S> =>
  fields({ ...envelope, ...shape });

/** An object whose fields are none of our business. */
export const opaque = z.looseObject({});

/** Any JSON value, `null` and absent included. */
export const anything = z.unknown().optional();

export const int32 = z.int32();

/** A number or a name: ports, percentages. */
export const intOrString = z.union([z.int(), z.string()]);

/** `500m`, `2Gi`, `1`. */
export const quantity = z.union([z.number(), z.string(), z.instanceof(JsonNumber)]);

export const stringMap = z.record(z.string(), z.string());

/** RFC 3339, `metav1.Time` or `metav1.MicroTime`. */
export const time = z.string().register(serverRules, { format: 'date-time' });

/** An object of the same namespace and of a kind that the field implies. */
export const localReference = fields({ name: z.string() });
