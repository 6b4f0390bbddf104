/** The `values.schema.json` of a chart, out of the zod schema of its values. */
import { z } from 'zod';

/** What of JSON Schema (draft 7) zod writes for values. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

/**
 * Guarantees: draft 7, which every Helm 3 and 4 reads; a value that has a default may be left out, and so may a group; names that the schema
 * does not have are refused, but for `global`, which Helm itself adds to the values of a subchart.
 * Caveat: zod's refinements are not in it: the app says those when it starts, and the templates those that are worth knowing before.
 */
export function valuesSchema(values: z.ZodObject): JsonSchema {
  const schema = z.toJSONSchema(values, { io: 'input', target: 'draft-7' }) as JsonSchema;
  const global: JsonSchema = { type: 'object', description: 'values that charts share; not read here' };
  return withOptionalGroups({ ...schema, properties: { ...schema.properties, global } });
}

function withOptionalGroups(schema: JsonSchema): JsonSchema {
  const { properties, required = [], ...rest } = schema;
  if (!properties) return schema;
  const needed = required.filter((key) => properties[key]?.properties === undefined);
  const inner = Object.entries(properties).map(([key, value]) => [key, withOptionalGroups(value)]);
  return {
    ...rest,
    properties: Object.fromEntries(inner) as Readonly<Record<string, JsonSchema>>,
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}
