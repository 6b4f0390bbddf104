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
  print('Three replicas of apps/example-mirror copy labelled ConfigMaps of project-a and project-b into the');
  print('hub; a small Karmada carries what is there to edge-1 and edge-2. All of it is in this process: the');
  print('planes are API servers that kubectl could talk to, but neither they nor Karmada are the real ones.');
  print(
    `The clock is virtual: times below are not real ones. A message of a replica takes ${least} to ${most} ms of it,`,
  );
  print(`the steps of Karmada take what was seen of a real one, and the seed "${seed}" decides the rest.`);
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
  print('The hub replicator (the Connector and the HTTPProxy above were put into the hub by hand), the edge');
  print('retranslator, the extension server, the instance federator and the admin CLI. Nothing above talked');
  print('to a real cluster.');
}
