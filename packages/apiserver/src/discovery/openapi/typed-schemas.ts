/** Built-in types as OpenAPI components that refer to one another, so that kubectl shows them by name. */
import type { JsonObject } from '@lifeline/core';
import { metaTypes } from '../../resources/builtin/types/meta.ts';
import { fieldHints, scalarSchemas } from '../../resources/builtin/types/schema-of.ts';
import type { Field, FieldType, MessageType, Scalar } from '../../schema/message-type.ts';
import { apiVersion, kind, metadata, metaName, reference } from './envelope.ts';

export interface Root {
  /** Of the component. */
  readonly name: string;
  readonly tag: JsonObject;
  /** Of the names of what it holds, unless that is everyone's. */
  readonly prefix: string;
}

/** A kind, and all types that it is made of. */
export function typedSchemas(message: MessageType, { name, tag, prefix }: Root): JsonObject {
  const components = new Components(prefix);
  const { properties, ...rest } = components.schemaOf(message) as { properties: JsonObject };
  return {
    ...components.all,
    [name]: { ...rest, properties: { apiVersion, kind, ...properties, metadata }, ...tag },
  };
}

/** Metadata and options. */
export function metaSchemas(): JsonObject {
  const components = new Components('');
  for (const name of ['ObjectMeta', 'DeleteOptions']) components.refer(metaTypes.get(name));
  return components.all;
}

/** Scalars that real servers describe under a name of their own. */
const namedScalars: Partial<Record<Scalar, string>> = {
  IntOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  Quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  Time: metaName('Time'),
  MicroTime: metaName('MicroTime'),
};

class Components {
  readonly #prefix: string;
  readonly #all = new Map<string, JsonObject>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get all(): JsonObject {
    return Object.fromEntries(this.#all);
  }

  refer(message: MessageType): JsonObject {
    const name = metaTypes.names.includes(message.name) ? metaName(message.name) : `${this.#prefix}${message.name}`;
    if (!this.#all.has(name)) {
      // Before its fields are looked at: types may hold themselves.
      this.#all.set(name, {});
      this.#all.set(name, this.schemaOf(message));
    }
    return reference(name);
  }

  schemaOf({ description, fields }: MessageType): JsonObject {
    const required = [...fields.values()].filter((field) => field.required).map((field) => field.name);
    return {
      ...(description === undefined ? {} : { description }),
      type: 'object',
      properties: Object.fromEntries([...fields].map(([name, field]) => [name, this.#fieldSchema(field)])),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #fieldSchema(field: Field): JsonObject {
    const schema = this.#typeSchema(field.type);
    const hints = fieldHints(field) as JsonObject;
    // Nothing may stand beside a reference.
    return '$ref' in schema && Object.keys(hints).length > 0 ? { ...hints, allOf: [schema] } : { ...schema, ...hints };
  }

  #typeSchema(type: FieldType): JsonObject {
    switch (type.form) {
      case 'scalar':
        return this.#scalarSchema(type.scalar);
      case 'message':
        return this.refer(type.message);
      case 'list':
        return { type: 'array', items: this.#typeSchema(type.items) };
      case 'map':
        return { type: 'object', additionalProperties: this.#typeSchema(type.values) };
      case 'either':
        // kubectl fails on a schema that says nothing at all.
        this.#all.set(`${this.#prefix}${type.message.name}`, { description: 'One of several forms.' });
        return reference(`${this.#prefix}${type.message.name}`);
    }
  }

  #scalarSchema(scalar: Scalar): JsonObject {
    const schema: JsonObject =
      scalar === 'IntOrString'
        ? { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
        : (scalarSchemas[scalar] as JsonObject);
    const name = namedScalars[scalar];
    if (name === undefined) return schema;
    this.#all.set(name, schema);
    return reference(name);
  }
}
