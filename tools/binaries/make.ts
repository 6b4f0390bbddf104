import { systemClock } from '@lifeline/core';
import { goFilesMaker, goProgramMaker } from './go-makers.ts';
import { type Machine, type Maker, thisMachine } from './maker.ts';
import { npmMaker, pipMaker } from './package-makers.ts';
import type { Binary } from './recipes.ts';
import type { Shelf } from './shelf.ts';

export interface MakeOptions {
  readonly shelf: Shelf;
  /** Default: as its recipe says. */
  readonly makerOf?: ((binary: Binary) => Maker) | undefined;
  /** Is told what goes on, in pieces of lines. */
  readonly say: (text: string) => void;
}

/** Has a binary made, and kept. @throws Error that says what is missing on this machine, or what went wrong */
export async function makeBinary(binary: Binary, { shelf, makerOf = makerFor, say }: MakeOptions): Promise<void> {
  const maker = makerOf(binary);
  const lacks = await maker.lacks();
  if (lacks !== undefined) throw new Error(lacks);
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
