/** What it took, by the logs of our apps: they go on where a restarted process begins. */
import { readdirSync, readFileSync } from 'node:fs';
import { edges, file } from './harness/names.ts';

/** Lines of the log of a kind of process at an edge that hold a text. */
function lines(edge: string, text: string): number {
  const logs = readdirSync(file('logs')).filter((name) => name.startsWith('edge-') && name.includes(`-${edge}`));
  return logs.reduce((sum, name) => sum + readFileSync(file('logs', name), 'utf8').split(text).length - 1, 0);
}

/** A table of stamps and hook calls by edge, and of how the calls ended. */
export function tableOfCounts(): string {
  const rows = edges.map((edge) => {
    const calls = lines(edge, '"msg":"PostTranslateModify"');
    return `| ${edge} | ${lines(edge, '"msg":"stamped"')} | ${calls} | ${calls - lines(edge, '"outcome":"answered"')} |`;
  });
  return ['| edge | stamps | hook calls | not answered |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
