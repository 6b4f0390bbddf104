/**
 * The hook over gRPC, beside a server that answers with the request's own bytes: the floor. 10 to 5,000 merged Gateways, all clusters
 * connector-backed, one connector in ten offline; then the same with 1 % and with all connectors flipped between calls. Load and servers
 * are processes of their own and share the machine's cores: read the ratios.
 *
 * Run: `node --conditions=@lifeline/source apps/edge-extension-server/bench/hook.bench.ts`
 */
import { Client, credentials } from '@grpc/grpc-js';
import { grpcServices, systemClock } from '@lifeline/core';
import { MeasuredProcess } from './processes.ts';
import { scaledRequest } from '../src/edit/scaled.fixture.ts';

const sizes = [10, 100, 1000, 5000];
const warmCalls = 10;
const callsOf = (gateways: number): number => (gateways >= 5000 ? 30 : 100);

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
  readonly memory: MeasuredProcess['memoryMiB'];
}

interface Load {
  readonly request: Buffer;
  readonly calls: number;
  /** Before each call, outside of what is measured. */
  readonly between?: (call: number) => Promise<void>;
}

async function measure(server: MeasuredProcess, { request, calls, between }: Load): Promise<Figures> {
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  const asIs = (bytes: Buffer): Buffer => bytes;
  const path = `/${grpcServices.hook}/PostTranslateModify`;
  const call = (): Promise<void> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, asIs, asIs, request, (error) => (error ? reject(error) : resolve()));
    });
  for (let i = 0; i < warmCalls; i++) await call();
  const times: number[] = [];
  let cpu = 0;
  for (let i = 0; i < calls; i++) {
    await between?.(i);
    const cpuBefore = server.cpuMs;
    const before = systemClock.monotonic();
    await call();
    times.push(systemClock.monotonic() - before);
    cpu += server.cpuMs - cpuBefore;
  }
  client.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), cpu: cpu / calls, memory: server.memoryMiB };
}

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
const figuresOf = ({ p50, p99, cpu, memory }: Figures): string[] => [
  p50.toFixed(1),
  p99.toFixed(1),
  cpu.toFixed(1),
  `${memory.now} / ${memory.peak}`,
];

row('Gateways', 'what', 'p50 ms', 'p99 ms', 'CPU ms per call', 'RSS / peak MiB', 'p50, CPU against echo');
row('--:', '---', '--:', '--:', '--:', '--:', '--:');
for (const gateways of sizes) {
  const request = Buffer.from(scaledRequest(gateways));
  const calls = callsOf(gateways);
  using echo = await MeasuredProcess.start('echo-server.ts');
  using edit = await MeasuredProcess.start('edit-server.ts', String(gateways));
  const idle = edit.memoryMiB.now - echo.memoryMiB.now;
  const floor = await measure(echo, { request, calls });
  const flips = (share: number) => (call: number) =>
    edit.flip({ flip: Math.ceil(share * gateways), online: call % 2 === 0 });
  const against = ({ p50, cpu }: Figures): string => `${(p50 / floor.p50).toFixed(2)}, ${(cpu / floor.cpu).toFixed(2)}`;
  row(String(gateways), 'echo', ...figuresOf(floor), '1, 1');
  const steady = await measure(edit, { request, calls });
  row('', `edit; idle, it holds ${idle} MiB more than echo`, ...figuresOf(steady), against(steady));
  for (const share of [0.01, 1]) {
    const flipped = await measure(edit, { request, calls, between: flips(share) });
    const name = `edit, ${share * 100} % flipped between calls: ${(flipped.p50 / steady.p50).toFixed(2)} × p50`;
    row('', name, ...figuresOf(flipped), against(flipped));
  }
}
