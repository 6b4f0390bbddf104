/** What the API server sends around objects: lists, watch events, and its own word on what went wrong. Loose, as everywhere. */
import { z } from 'zod';
import { int64 } from './object.ts';

/** `metav1.ListMeta`. */
export const listMetaSchema = z.looseObject({
  resourceVersion: z.string().optional(),
  continue: z.string().optional(),
  remainingItemCount: int64.nullish(),
});

/** A page of a list. `items` may be null when there are none; they are passed through as they came, and often lack apiVersion and kind. */
export const listSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string().endsWith('List'),
  metadata: listMetaSchema,
  items: z.array(z.unknown()).nullable(),
});
export type KubeList = z.infer<typeof listSchema>;

/** One line of a watch. In a `BOOKMARK` only kind and resourceVersion are set; the object of an `ERROR` is a {@link Status}. */
export const watchEventSchema = z.looseObject({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({}),
});
export type WireEvent = z.infer<typeof watchEventSchema>;

/**
 * `metav1.Status`. Only an answer that has this shape is the API server speaking: a 404 without it may come from a proxy, and proves
 * nothing about any object.
 */
export const statusSchema = z.looseObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Status'),
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().int().optional(),
  details: z
    .looseObject({
      name: z.string().optional(),
      group: z.string().optional(),
      /** For most errors this is the plural resource name, whatever the field is called. */
      kind: z.string().optional(),
      uid: z.string().optional(),
      causes: z
        .array(
          z.looseObject({
            reason: z.string().optional(),
            message: z.string().optional(),
            field: z.string().optional(),
          }),
        )
        .nullish(),
      retryAfterSeconds: z.number().optional(),
    })
    .nullish(),
});
export type Status = z.infer<typeof statusSchema>;

/** The value as a {@link Status}, or undefined when it is none. */
export function asStatus(value: unknown): Status | undefined {
  const result = statusSchema.safeParse(value);
  return result.success ? result.data : undefined;
}
