/** Values against schemas: ajv finds what is wrong, and a real server's words tell of it. */
import type { JsonValue } from '@lifeline/core';
import { Ajv, type AnySchemaObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import type { Schema } from '../compiled-schema.ts';
import { goRegExp } from '../go-regexp.ts';
import { failureOf, type Validator } from './failure.ts';
import { type Judge, judgeOf } from './judge.ts';

/**
 * Compiled when the first value comes. CEL rules and list types are not judged.
 * @throws SyntaxError for a schema with a pattern that is not Go's
 */
export function createValidator(schema: Schema): Validator {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    const validate = (compiled ??= compile(schema));
    return validate(value) ? undefined : failureOf(value, validate.errors ?? []);
  };
}

const patternEngine = Object.assign((pattern: string) => goRegExp(pattern), { code: 'goRegExp' });

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  messages: false,
  logger: false,
  // A property may be called `constructor`.
  ownProperties: true,
  // Optimised code is no faster, and takes twice as long to make.
  code: { regExp: patternEngine, optimize: false },
});

ajv.addKeyword({
  keyword: 'judge',
  errors: true,
  compile: (judge: Judge) => {
    const validate: SchemaValidateFunction = (value: JsonValue) => {
      const flaws = judge(value);
      if (flaws.length === 0) return true;
      validate.errors = [{ keyword: 'judge', params: { flaws } }];
      return false;
    };
    return validate;
  },
});

function compile(schema: Schema): ValidateFunction {
  const own = ajvSchema(schema);
  const validate = ajv.compile(own);
  // Or ajv would keep it for ever.
  ajv.removeSchema(own);
  return validate;
}

const bounds = [
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
] as const;

/** The part of a schema that ajv judges itself; the rest is ours. */
function ajvSchema(schema: Schema): AnySchemaObject {
  const { properties, additionalProperties, items } = schema;
  const judge = judgeOf(schema, createValidator);
  return {
    ...(judge ? { judge } : {}),
    ...Object.fromEntries(bounds.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))),
    ...(properties ? { properties: ajvSchemas(properties) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: ajvSchema(additionalProperties) } : {}),
    ...(items ? { items: ajvSchema(items) } : {}),
  };
}

const ajvSchemas = (schemas: Readonly<Record<string, Schema>>): Record<string, AnySchemaObject> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajvSchema(schema)]));
