/** Where the parts of a hook request stand, by offset into its bytes. Nothing is decoded. */
import type { Slice } from '../wire/text.ts';
import type { SeenGateway } from './editor.ts';

/** Bytes `from` to before `to`; of a resource: its payload, without tag and length. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface VirtualHostPart extends Slice {
  /** Its place among all virtual hosts of the request, from 0. */
  readonly ordinal: number;
  /** The Gateway that it belongs to; undefined where its metadata does not say. */
  readonly gateway: SeenGateway | undefined;
  /** Undefined for none. */
  readonly stamp: string | undefined;
}

export interface RouteConfigurationPart extends Slice {
  readonly virtualHosts: readonly VirtualHostPart[];
}

/** Each list in the order of the request. */
export interface RequestParts {
  readonly bytes: Uint8Array;
  readonly clusters: readonly Slice[];
  readonly secrets: readonly Slice[];
  readonly listeners: readonly Slice[];
  readonly routeConfigurations: readonly RouteConfigurationPart[];
  /** Those of the virtual hosts, each once. */
  readonly gateways: readonly SeenGateway[];
}
