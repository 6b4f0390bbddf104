import { describe, expect, it } from 'vitest';
import { admissionregistrationTypes } from './admissionregistration.ts';
import { apiextensionsTypes } from './apiextensions.ts';
import { appsTypes } from './apps.ts';
import { authenticationTypes } from './authentication.ts';
import { authorizationTypes } from './authorization.ts';
import { coordinationTypes } from './coordination.ts';
import { coreTypes } from './core.ts';
import { discoveryTypes } from './discovery.ts';
import { eventTypes } from './events.ts';
import { metaTypes } from './meta.ts';
import { podTypes } from './pods.ts';
import { rbacTypes } from './rbac.ts';
import { schemaOf } from './schema-of.ts';
import { TypeTable } from './type-table.ts';

const table = new TypeTable(`
strings Colour

Thing : What is shown.
   1 name       string       required : Its name.
   2 colour     *Colour      =red
   3 parts      []Part       map(id,kind) merge(id)
   4 tags       []string     always set
   5 amounts    map[string]Quantity
   6 ...        Base
   7 since      Time
   8 until      Time         omitzero
   9 limits     *Part
  10 mode       string       required omitempty

Base
   1 size  int32 =5
   2 notes []string merge

Part atomic
   3 id   string required
   1 kind string
   2 of   *Thing
`);

describe('a type table', () => {
  const thing = table.get('Thing');

  it('has the fields of embedded structs under their own names, and the struct by its number', () => {
    expect([...thing.fields.keys()]).toEqual([
      ...['name', 'colour', 'parts', 'tags', 'amounts', 'size', 'notes', 'since', 'until', 'limits', 'mode'],
    ]);
    expect([...thing.byNumber].map(([number, field]) => `${number} ${field.name}`)).toContain('6 ...');
  });

  it('knows what is written though it is empty', () => {
    expect(thing.always.map((field) => field.name)).toEqual(['name', 'tags', 'since']);
  });

  it('becomes a schema', () => {
    const part = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        kind: { type: 'string' },
        of: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      'x-kubernetes-map-type': 'atomic',
    };
    expect(schemaOf(thing)).toEqual({
      type: 'object',
      description: 'What is shown.',
      required: ['name', 'mode'],
      properties: {
        name: { type: 'string', description: 'Its name.' },
        colour: { type: 'string', default: 'red' },
        parts: {
          type: 'array',
          items: part,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id', 'kind'],
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'id',
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        amounts: { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } },
        size: { type: 'integer', format: 'int32', default: 5 },
        notes: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
        since: { type: 'string', format: 'date-time' },
        until: { type: 'string', format: 'date-time' },
        limits: part,
        mode: { type: 'string' },
      },
    });
  });

  it.each([
    ['A\n  1 a Nowhere', 'no field:   1 a Nowhere'],
    ['A\n  x a string', 'no field:   x a string'],
    ['A\n  1 a []string mrege', 'unknown mark mrege:   1 a []string mrege'],
    ['B\n  1 a string', 'no type A'],
  ])('%j is refused', (text, message) => {
    expect(() => new TypeTable(text).get('A')).toThrow(message);
  });
});

it.each(
  Object.entries({
    ...{ metaTypes, coreTypes, podTypes, appsTypes, coordinationTypes, discoveryTypes, eventTypes, rbacTypes },
    ...{ authorizationTypes, authenticationTypes, apiextensionsTypes, admissionregistrationTypes },
  }),
)('%s: every field has a number of its own', (_, types) => {
  for (const name of types.names) {
    const type = types.get(name);
    const embedded = [...type.byNumber.values()].flatMap((field) =>
      field.name === '...' && field.type.form === 'message' ? [...field.type.message.fields.keys()] : [field.name],
    );
    expect(embedded, name).toEqual([...type.fields.keys()]);
  }
});
