import type { Transport } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { refusalsIn, watchRefusals } from './refusals.ts';

const text = (failures: number, nacks: number): string => `# TYPE watchable_subscribe_total counter
watchable_subscribe_total{message="xds-ir",runner="gateway-api",status="failure"} 7
watchable_subscribe_total{message="xds-ir",runner="xds",status="success"} 120
watchable_subscribe_total{message="xds-ir",runner="xds",status="failure"} ${failures}
xds_nack_total{nodeID="e1",typeURL="type.googleapis.com/envoy.config.route.v3.RouteConfiguration"} ${nacks}
xds_nack_total_created{nodeID="e1"} 5
`;

describe('what Envoy Gateway refuses', () => {
  it('is the sum of what it did not publish and what its Envoys did not take', () =>
    expect([refusalsIn(text(0, 0)), refusalsIn(text(2, 3)), refusalsIn('xds_nack_total 4'), refusalsIn('')]).toEqual([
      0, 5, 4, 0,
    ]));

  it('is heard of when a count rises: not at the first look, not at a restart, and once for each rise', async () => {
    const clock = new VirtualClock();
    const lines: string[] = [];
    const stop = new AbortController();
    let answer: string | Error = text(1, 1);
    let refused = 0;
    const transport: Transport = async () => {
      if (answer instanceof Error) throw answer;
      const bytes = new TextEncoder().encode(answer);
      return {
        status: 200,
        headers: {},
        body: (async function* () {
          yield await Promise.resolve(bytes);
        })(),
      };
    };
    const log = createLog({ clock, write: (line) => void lines.push(line) });
    const url = 'http://10.0.0.1:19001/metrics';
    const done = watchRefusals({ clock, log, url, transport, refused: () => refused++ }, stop.signal);
    const after = async (next: string | Error): Promise<number> => {
      answer = next;
      await clock.advance(5_000);
      return refused;
    };
    await clock.advance(1);
    expect(await after(text(1, 1))).toBe(0);
    expect(await after(text(1, 2))).toBe(1);
    expect(await after(text(1, 2))).toBe(1);
    expect(await after(text(0, 0))).toBe(1);
    expect(await after(text(1, 0))).toBe(2);
    expect(await after(new Error('refused'))).toBe(2);
    expect(await after(new Error('refused'))).toBe(2);
    expect(lines).toHaveLength(1);
    // What rose while it could not be read is a rise.
    expect(await after(text(2, 0))).toBe(3);
    stop.abort();
    await done;
  });
});
