/** The hook of Envoy Gateway: programs connectors into what Envoy is sent. */
export {
  type Answer,
  type Edit,
  type EditCounts,
  type Editor,
  InvalidRequest,
  type SeenGateway,
} from './edit/editor.ts';
