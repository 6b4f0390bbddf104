/** The demo from its first line to its last. */
import type { Moment } from './moment.ts';
import { duration, momentLine, pair, type Style } from './page.ts';
import { DemoPlanes, latencyMs, settings } from './planes.ts';
import { story } from './story.ts';
import { digits, verdicts } from './truths.ts';

export interface DemoOptions {
  readonly seed: string;
  readonly style: Style;
  /** Takes the lines, one by one, as things happen. */
  readonly print: (line: string) => void;
  /** Told each moment after its line, while time stands still. */
  readonly seen?: ((moment: Moment, planes: DemoPlanes) => Promise<void>) | undefined;
}

/** Prints the demo. @throws Error when something does not happen that should */
export async function runDemo({ seed, style, print, seen }: DemoOptions): Promise<void> {
  const planes = new DemoPlanes(seed);
  const [least, most] = latencyMs;
  print(style.strong('Lifeline: what is here so far'));
  print('');
  print('Three replicas of apps/example-mirror copy labelled ConfigMaps of four planes, source-1 to source-4,');
  print('into a fifth one, target. Everything is in this process: the planes are scripted APIs, not clusters.');
  print(`The clock is virtual: times below are not real ones. A request takes ${least} to ${most} ms of it, the Lease`);
  print(`lasts ${duration(settings.leaderElection.durationMs)}, and the seed "${seed}" decides the rest.`);
  print('');
  for await (const moment of story(planes)) {
    print(momentLine(moment, style));
    await seen?.(moment, planes);
  }
  const { sent, ours, plain } = digits();
  print('');
  print(style.strong('Numbers keep their digits'));
  print(pair('a status as a server sends it', sent));
  print(pair('read and written by parseJson, canonicalJson', ours));
  print(pair('read and written by JSON.parse, stringify', plain));
  print('');
  print(style.strong('Whether a connector is online, as an edge reads it'));
  for (const { of, says } of verdicts()) print(pair(of, says));
  print('');
  print(style.strong('Not here yet'));
  print('The hub replicator, the edge retranslator, the extension server, the instance federator, the admin');
  print('CLI, faithful test planes and the small Karmada. Nothing above talked to a real cluster.');
}
