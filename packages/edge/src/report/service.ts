/** The gRPC service of the reports: `report.ts` on the wire. */
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON, type Options, type PackageDefinition } from '@grpc/proto-loader';
import { grpcServices, outcomes } from '@lifeline/core';
import protobuf from 'protobufjs';
import type { CallerReport, CallPhase, CallReport, ReportMessage, ReportRow, SyncedReport } from './report.ts';

/** For clients in other languages. Field numbers are for ever. */
export const programmedProto = `
syntax = "proto3";
package lifeline.edge.v1;

// What an extension server answered, call by call.
service Programmed {
  // The last rows of all callers, then synced, then each call as it happens.
  rpc Watch(WatchRequest) returns (stream Report);
}

message WatchRequest {}

message Report {
  oneof report {
    Call call = 1;
    Caller caller = 2;
    Synced synced = 3;
  }
}

message Call {
  string replica = 1;
  uint64 call = 2;
  string caller = 3;
  // started, answered, failed or aborted
  string phase = 4;
  // Names the set of Gateways that the call was about; empty while unknown.
  string group = 5;
  uint64 index_revision = 6;
  uint64 age_ms = 7;
  uint32 digest_version = 8;
  // Of answered calls: what differs from the last rows of this caller and group.
  repeated Row rows = 9;
}

message Row {
  string namespace = 1;
  string name = 2;
  string stamp = 3;
  string intent = 4;
  // programmed, contained, rolledBack, skew, failed or aborted
  string outcome = 5;
  string reason = 6;
}

message Caller {
  string replica = 1;
  string caller = 2;
  bool connected = 3;
}

message Synced {
  string replica = 1;
  uint32 digest_version = 2;
}
`;

const options: Options = { longs: Number, defaults: true, oneofs: true, arrays: true };

/** For `@grpc/reflection`, and for those who serve or call it. */
export const programmedPackage: PackageDefinition = fromJSON(protobuf.parse(programmedProto).root.toJSON(), options);

type Wire =
  | { readonly report: 'call'; readonly call: Omit<CallReport, 'at' | 'phase'> & { readonly phase: string } }
  | { readonly report: 'caller'; readonly caller: Omit<CallerReport, 'at'> }
  | { readonly report: 'synced'; readonly synced: Omit<SyncedReport, 'at'> }
  | { readonly report: undefined };

const { Watch } = programmedPackage[grpcServices.programmed] as unknown as {
  readonly Watch: MethodDefinition<object, object>;
};

/** As `@grpc/grpc-js` takes it, with the messages of `report.ts`. */
export const programmedService: ServiceDefinition & {
  readonly watch: MethodDefinition<object, ReportMessage | undefined>;
} = {
  watch: {
    ...Watch,
    responseSerialize: (message) =>
      Watch.responseSerialize(message ? { [message.at]: { ...message, at: undefined } } : {}),
    responseDeserialize: (bytes) => readReport(Watch.responseDeserialize(bytes) as Wire),
  },
};

/** Undefined for a message of a later version, which has nothing for us. */
function readReport(wire: Wire): ReportMessage | undefined {
  switch (wire.report) {
    case 'call': {
      const { phase, rows } = wire.call;
      if (!isPhase(phase)) return undefined;
      // An outcome that we do not know is none that converges.
      const known = rows.map((row): ReportRow =>
        outcomes.includes(row.outcome) ? row : { ...row, outcome: 'failed' },
      );
      return { at: 'call', ...wire.call, phase, rows: known };
    }
    case 'caller':
      return { at: 'caller', ...wire.caller };
    case 'synced':
      return { at: 'synced', ...wire.synced };
    case undefined:
      return undefined;
  }
}

const phases: readonly string[] = ['started', 'answered', 'failed', 'aborted'] satisfies CallPhase[];
const isPhase = (text: string): text is CallPhase => phases.includes(text);
