/**
 * The built-in resources against what kube-apiserver 1.36.3 answered to the same requests, in the same order, on a plane that was new.
 * What is drawn or depends on the time is masked on both sides; the causes of a refusal are told as their reason and field, since the
 * message has the rest.
 */
import { readFileSync } from 'node:fs';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
  type Transport,
} from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApiServer } from '../../create-api-server.ts';
import { send } from '../../send.fixture.ts';

interface Step {
  /** Method and path; `TABLE` is a GET of a table. Patches are merge patches. */
  readonly do: string;
  readonly body?: JsonObject;
  readonly status: number;
  readonly answer: JsonObject;
}

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

const cases = parseJson(
  readFileSync(new URL('testdata/answers.json', import.meta.url), 'utf8'),
) as unknown as readonly Case[];

describe.each(cases)('$name', ({ steps }) => {
  const answers: { status: number; answer: JsonValue }[] = [];

  beforeAll(async () => {
    using plane = createApiServer({ clock: new VirtualClock(), random: seeded(1) });
    await ask(plane.transport, { do: 'POST /api/v1/namespaces', body: { metadata: { name: 'demo' } } });
    for (const step of steps) answers.push(await ask(plane.transport, step));
  });

  it.each(
    steps.map((step, index) => ({ index, text: `${step.do} ${stringifyJson(step.body ?? null)}`.slice(0, 120) })),
  )('$index: $text', ({ index }) => {
    const { status, answer } = steps[index] as Step;
    expect(answers[index]).toEqual({ status, answer: masked(answer) });
  });
});

async function ask(transport: Transport, { do: what, body }: Pick<Step, 'do' | 'body'>) {
  const [verb = '', path = ''] = what.split(' ');
  const table = verb === 'TABLE';
  const { status, body: answer } = await send(transport, path, {
    method: table ? 'GET' : verb,
    headers: { accept: table ? 'application/json;as=Table;v=v1;g=meta.k8s.io' : 'application/json' },
    body,
    type: verb === 'PATCH' ? 'application/merge-patch+json' : undefined,
  });
  return { status, answer: masked(reduced(answer)) };
}

/** An answer without what the cases do not tell. */
function reduced(answer: JsonObject): JsonValue {
  if (answer['kind'] === 'Table') {
    const { columnDefinitions, rows } = answer as unknown as Record<string, readonly Record<string, JsonValue>[]>;
    return {
      columns: columnDefinitions?.map(({ name, type, priority }) => [name, type, priority].map(textOf).join(' ')) ?? [],
      cells: rows?.map(({ cells }) => cells as JsonValue) ?? [],
    };
  }
  if (answer['kind'] === 'Status') {
    const { kind: _, apiVersion: _version, metadata: _metadata, status: _status, ...rest } = answer;
    const { uid: _uid, ...details } = isJsonObject(rest['details']) ? rest['details'] : {};
    return { ...rest, ...('details' in rest ? { details: { ...details, ...told(details['causes']) } } : {}) };
  }
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp, managedFields, ...metadata } = answer[
    'metadata'
  ] as JsonObject;
  void [uid, resourceVersion, creationTimestamp, deletionTimestamp, managedFields];
  return { ...answer, metadata };
}

const told = (causes: JsonValue | undefined): JsonObject =>
  isJsonArray(causes)
    ? {
        causes: causes.map((cause) =>
          isJsonObject(cause) ? `${textOf(cause['reason'])} ${textOf(cause['field'])}` : '',
        ),
      }
    : {};

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : stringifyJson(value ?? null);

/** Addresses and node ports are drawn; ages and dates are of their time. */
function masked(answer: JsonValue): JsonValue {
  const text = stringifyJson(answer)
    .replaceAll(/10\.96\.\d+\.\d+/g, '10.96.x.x')
    .replaceAll(/"(nodePort|healthCheckNodePort)":3\d{4}/g, '"$1":30000')
    .replaceAll(/:3\d{4}\/TCP/g, ':30000/TCP')
    .replaceAll(/"(?:\d+[smhdy])+"/g, '"age"')
    .replaceAll(/"20\d\d-[^"]*Z"(?=\]|,")/g, (date) => (answer && 'cells' in (answer as object) ? '"date"' : date));
  return parseJson(text);
}
