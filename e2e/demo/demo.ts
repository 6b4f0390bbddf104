/** The demo from its first line to its last. */
import type { Moment } from './moment.ts';
import { momentLine, pair, type Style } from './page.ts';
import { DemoPlanes, latencyMs } from './planes.ts';
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
  await using planes = new DemoPlanes(seed);
  const [least, most] = latencyMs;
  print(style.strong('Lifeline: what is here so far'));
  print('');
  print('Two replicas of apps/hub-replicator carry what project-a and project-b say to the hub; a small');
  print('Karmada carries what the hub has to edge-1 and edge-2. There, two replicas of');
  print('apps/edge-extension-server program what an Envoy Gateway asks them about, and have it ask again when');
  print('a tunnel comes or goes. Fixtures play the gateway controller, the agent of a tunnel, and Envoy');
  print('Gateway with its Envoys, which speaks the real bytes. All of it is in this process: the planes are');
  print('API servers that kubectl could talk to, but they are no real clusters, nor is Karmada the real one.');
  print(
    `The clock is virtual: times below are not real ones. A message of a replica takes ${least} to ${most} ms of it,`,
  );
  print(`the steps of Karmada take what was seen of a real one, and the seed "${seed}" decides the rest.`);
  print('A time at the right is that since the line before it that stands further left.');
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
  print('The instance federator and the admin CLI. Nothing above talked to a real cluster.');
}
