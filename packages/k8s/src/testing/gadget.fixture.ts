/** Two kinds for tests of clients and servers: a custom one with a status, and a built-in one without. */
import { defineKind, type Int64, type KubeObject, objectMetaSchema } from '@lifeline/core';
import { z } from 'zod';

export interface Gadget extends KubeObject {
  spec?: { size?: Int64; parts?: readonly string[] };
  status?: { phase?: string; conditions?: readonly { type: string; status: string; reason?: string }[] };
}

export const Gadget = defineKind<Gadget>({
  group: 'example.dev',
  version: 'v1',
  versions: ['v1', 'v1beta1'],
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: { 'status.conditions': ['type'] },
  schema: z.looseObject({ metadata: objectMetaSchema }) as unknown as z.ZodType<Gadget>,
});

export interface Note extends KubeObject {
  data?: Record<string, string>;
}

export const Note = defineKind<Note>({
  group: '',
  version: 'v1',
  kind: 'Note',
  plural: 'notes',
  scope: 'Namespaced',
  statusSubresource: false,
  schema: z.looseObject({ metadata: objectMetaSchema }) as unknown as z.ZodType<Note>,
});

export const gadget = (name: string, rest: Partial<Gadget> = {}): Gadget => ({
  apiVersion: 'example.dev/v1',
  kind: 'Gadget',
  ...rest,
  metadata: { name, namespace: 'default', ...rest.metadata },
});
