/** `discovery.k8s.io/v1`. */
import { coreTypes } from './core.ts';
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const discoveryTypes = new TypeTable(
  `
strings AddressType Protocol

EndpointSlice : Some of the addresses behind a Service.
   1 metadata    ObjectMeta
   4 addressType AddressType    required : IPv4, IPv6 or FQDN. Cannot change.
   2 endpoints   []Endpoint     always atomic
   3 ports       []EndpointPort always atomic : Of every endpoint.

Endpoint
   1 addresses          []string           required set : 1 to 100, taken for one and the same thing.
   2 conditions         EndpointConditions
   3 hostname           *string
   4 targetRef          *ObjectReference
   5 deprecatedTopology map[string]string
   6 nodeName           *string
   7 zone               *string
   8 hints              *EndpointHints

EndpointConditions
   1 ready       *bool : May take traffic; not said is true.
   2 serving     *bool
   3 terminating *bool

EndpointHints
   1 forZones []ForZone atomic
   2 forNodes []ForNode atomic

ForZone
   1 name string required

ForNode
   1 name string required

EndpointPort atomic
   1 name        *string   =""
   2 protocol    *Protocol =TCP
   3 port        *int32
   4 appProtocol *string
`,
  coreTypes,
  metaTypes,
);
