/** What documents say about files: links and paths. */
import { dirname, join, normalize } from 'node:path';

/** A Markdown file, by its path from the root of the repository. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** Folders at the root whose files are called by their path in prose. */
const rootFolders = ['apps', 'charts', 'docs', 'e2e', 'packages', 'tools', '.ci'];

/**
 * Links of these documents that lead nowhere in the repository (a file that is not there, a heading that the other document does not have),
 * and paths between backticks that do not exist, a sentence each. Links to the web are not followed.
 *
 * @param exists whether there is a file or folder at a path from the root
 */
export function deadEnds(documents: readonly Document[], exists: (path: string) => boolean): string[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return documents.flatMap(({ path, text }) => {
    const prose = withoutBlocks(text);
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    // A decision speaks of its own time, and of what was to come.
    const isPresent = !path.startsWith('docs/adr/');
    const named = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
    return [
      ...links.filter((to) => !/^[a-z]+:/.test(to)).flatMap((to) => linkFault({ path, text }, to)),
      ...named
        .filter((name) => isPresent && isPath(name) && !exists(name))
        .map((name) => `${path}: there is no ${name}`),
    ];

    function linkFault(from: Document, to: string): string[] {
      const [file = '', heading] = to.split('#');
      const target = file === '' ? from.path : normalize(join(dirname(from.path), file));
      if (!exists(target)) return [`${from.path}: ${to} leads to ${target}, which is not there`];
      const other = byPath.get(target);
      if (heading === undefined || (other && anchorsOf(other.text).includes(heading))) return [];
      return [`${from.path}: ${to} leads to a heading that is not there`];
    }
  });
}

const isPath = (name: string): boolean =>
  rootFolders.some((folder) => name.startsWith(`${folder}/`)) && !/[*<>{}…]/.test(name);

const withoutBlocks = (text: string): string => text.replaceAll(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, '');

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The cells of the tables of a document, row by row, without the marks of their text. */
export function tableRows(text: string): string[][] {
  return [...withoutBlocks(text).matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.replaceAll('`', '').trim()),
  );
}
