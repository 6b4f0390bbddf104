/**
 * Plants a bug in this process, and nowhere else: modules are changed on their way from the disk. To be loaded before everything else,
 * with `--import`; the bug's id stands in PLANTED_BUG.
 */
import { type LoadFnOutput, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Edit, plantedBug } from './bugs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The text with the edit in it. @throws Error unless it applies at exactly one place */
export function edited(text: string, { file, find, replace }: Edit): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`the text of a planted bug occurs ${count} times in ${file}, not once`);
  return text.replace(find, () => replace);
}

const textOf = (source: LoadFnOutput['source']): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source);

const id = process.env.PLANTED_BUG;
if (id !== undefined) {
  const edits = Map.groupBy(plantedBug(id).edits, ({ file }) => pathToFileURL(root + file).href);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const here = edits.get(url);
      if (!here) return loaded;
      return { ...loaded, source: here.reduce(edited, textOf(loaded.source)) };
    },
  });
}
