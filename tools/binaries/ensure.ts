import type { MakeOptions } from './make.ts';
import { type BinaryName, binaryOf } from './recipes.ts';
import { Shelf } from './shelf.ts';

/** Where they are, absolute; or why they are not all there: who lacks what, a line for each reason. */
export type Ensured<Name extends string> =
  { readonly paths: Readonly<Record<Name, string>> } | { readonly cannot: string };

/**
 * Makes those that are not there yet, one after the other, and links each by its name. One that fails keeps no other from being made.
 *
 * The paths stay true while another run moves the links on to other versions.
 * @param options default: into `.cache/bin`, as the recipes say, told to standard output
 */
export async function ensureBinaries<Name extends BinaryName>(
  names: readonly Name[],
  options: Partial<MakeOptions> = {},
): Promise<Ensured<Name>> {
  const { shelf = new Shelf(), makerOf, say = (text) => void process.stdout.write(text) } = options;
  const faults: { readonly name: string; readonly reason: string }[] = [];
  const paths: [Name, string][] = [];
  for (const name of names) {
    const binary = binaryOf(name);
    try {
      if (!shelf.has(binary)) {
        // Loaded when it is needed: a run that makes nothing is over sooner than that takes.
        const { makeBinary } = await import('./make.ts');
        await makeBinary(binary, { shelf, makerOf, say });
      }
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
}
