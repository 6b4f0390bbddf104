/** CustomResourceDefinitions of a run: made, waited for, removed. */
import { isJsonArray, type JsonObject } from '@lifeline/core';
import { type Answer, nameOf } from './answer.ts';
import type { Api } from './api.ts';
import { definitions } from './fixtures.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes the custom resources of a group and returns once they are served. @throws Error with what the server said */
export async function installDefinitions(api: Api, group: string): Promise<void> {
  await Promise.all(definitions(group).map((body) => installDefinition(api, body)));
}

export async function removeDefinitions(api: Api, group: string): Promise<void> {
  for (const body of definitions(group)) await api.request('DELETE', `${crds}/${nameOf(body)}`);
}

async function installDefinition(api: Api, body: JsonObject): Promise<void> {
  const created = await api.request('POST', crds, { body });
  if (created.status !== 201) throw new Error(`${created.to}: ${created.status} ${created.text}`);
  const watch = await api.watch(crds, { query: { fieldSelector: `metadata.name=${nameOf(body)}` } });
  if ('status' in watch) throw new Error(`${watch.to}: ${watch.status} ${watch.text}`);
  using events = watch;
  await events.until(({ object }) => isEstablished(object));
  // The condition comes a moment before the handlers.
  const spec = body['spec'] as { group: string; names: { plural: string }; versions: readonly { name: string }[] };
  for (const version of spec.versions) {
    const path = `/apis/${spec.group}/${version.name}/${spec.names.plural}`;
    let list: Answer;
    do list = await api.request('GET', path);
    while (list.status !== 200);
  }
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
