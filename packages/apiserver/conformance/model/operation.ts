/** Requests of a random run, as data. What depends on earlier answers is named by them and resolved when it is sent. */
import type { JsonObject, JsonValue } from '@lifeline/core';

/** Whose collections a run writes to. */
export type ModelResource = 'configmaps' | 'services' | 'leases' | 'deployments' | 'widgets' | 'gadgets';

export type PatchType = 'merge' | 'json' | 'strategic';

interface OfOne {
  readonly resource: ModelResource;
  readonly name: string;
}

interface Write {
  /** Who writes, as `fieldManager`. */
  readonly manager: string;
  readonly dryRun: boolean;
}

export type Operation =
  | ({ readonly verb: 'create'; readonly members: JsonObject } & OfOne & Write)
  | ({
      readonly verb: 'update';
      /** How many answers about this object to go back for what is sent: 0 is the latest. */
      readonly stale: number;
      /** Merged into it. */
      readonly change: JsonObject;
      readonly subresource: 'status' | undefined;
      readonly keepResourceVersion: boolean;
    } & OfOne &
      Write)
  | ({
      readonly verb: 'patch';
      readonly type: PatchType;
      readonly patch: JsonValue;
      readonly subresource: 'status' | undefined;
    } & OfOne &
      Write)
  | ({
      readonly verb: 'apply';
      readonly members: JsonObject;
      readonly force: boolean;
      readonly subresource: 'status' | undefined;
    } & OfOne &
      Write)
  | ({
      readonly verb: 'delete';
      readonly precondition: 'none' | 'uid' | 'resourceVersion';
      /** As for an update: whose uid or resourceVersion. */
      readonly stale: number;
      readonly dryRun: boolean;
    } & OfOne)
  | ({ readonly verb: 'get' } & OfOne)
  | {
      readonly verb: 'list';
      readonly resource: ModelResource;
      readonly labelSelector: string | undefined;
      readonly limit: number | undefined;
    }
  | { readonly verb: 'deletecollection'; readonly resource: ModelResource; readonly labelSelector: string };

/** For people. */
export function describeOperation(operation: Operation): string {
  const { verb, resource, ...rest } = operation;
  return `${verb} ${resource} ${JSON.stringify(rest)}`;
}
