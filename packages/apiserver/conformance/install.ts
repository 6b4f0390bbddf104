/** CustomResourceDefinitions of a run: made, waited for, removed. */
import { isJsonArray, type JsonObject } from '@lifeline/core';
import { type Answer, nameOf, required } from './answer.ts';
import type { Api } from './api.ts';
import { definitions } from './fixtures.ts';
import { letIn } from './watch.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes the custom resources of a group and returns once they are served. @throws Error with what the server said */
export async function installDefinitions(api: Api, group: string): Promise<void> {
  await Promise.all(definitions(group).map((body) => installDefinition(api, body)));
}

export async function removeDefinitions(api: Api, group: string): Promise<void> {
  for (const body of definitions(group)) await api.request('DELETE', `${definitionsPath}/${nameOf(body)}`);
}

async function installDefinition(api: Api, body: JsonObject): Promise<void> {
  required(await api.request('POST', definitionsPath, { body }), 201);
  await untilServed(api, body);
}

/** Returns once the resources of a definition are served. */
export async function untilServed(api: Api, body: JsonObject): Promise<void> {
  const query = { fieldSelector: `metadata.name=${nameOf(body)}` };
  using events = letIn(await api.watch(definitionsPath, { query }));
  await events.until(({ object }) => isEstablished(object));
  // The condition comes a moment before the handlers.
  const { group, names, versions } = body['spec'] as unknown as DefinitionSpec;
  for (const { name } of versions.filter(({ served }) => served)) {
    let list: Answer;
    do list = await api.request('GET', `/apis/${group}/${name}/${names.plural}`);
    while (list.status !== 200);
  }
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

function isEstablished(crd: JsonObject): boolean {
  const conditions = (crd['status'] as JsonObject | undefined)?.['conditions'];
  return (
    isJsonArray(conditions) &&
    conditions.some((condition) => {
      const { type, status } = condition as { type: string; status: string };
      return type === 'Established' && status === 'True';
    })
  );
}
