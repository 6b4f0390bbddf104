/**
 * Keeps the code in the documents true. Every fenced `ts` block of README.md, ARCHITECTURE.md, CONTRIBUTING.md, docs/ (any depth) and the
 * packages' README.md is one of these, and `doctest.test.ts` holds it to it; a `ts` block that is neither is an error.
 *
 *     ```ts file=apps/example-mirror/src/main.ts
 *
 * The block is that file, byte for byte. With `#name` behind the path it is the region of that file between `// #region name` and
 * `// #endregion` (other regions may lie inside; their markers are left out, and so is the indentation that all lines share).
 *
 *     ```ts run
 *
 * The block is a module of its own that runs as a test, with `@lifeline/*` and our dependencies at hand. A line that ends in
 * `// => value` asserts: the expression statement, the `console.log(…)` argument or the one constant declared on the lines up to there
 * deeply equals the value, which is an expression too. `// => throws text` on an expression statement asserts that it throws, or its
 * promise rejects with, an error whose message contains the text.
 *
 *     expect.length; // => 2
 *     const key = await compute(); // => { name: 'a' }
 *     parse('{'); // => throws invalid
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './root.ts';

/** A fenced block of TypeScript in a document. */
export interface Block {
  readonly document: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** What stands behind `ts`. */
  readonly info: string;
  readonly code: string;
}

/** The TypeScript blocks of a Markdown text, in order. Blocks may be indented (in a list), with backticks or tildes. */
export function blocksOf(document: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; indent: string; info: string; line: number; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^( *)(`{3,}|~{3,})(.*)$/.exec(line);
    const [, indent = '', marks = '', info = ''] = fence ?? [];
    if (!open) {
      if (fence) open = { fence: marks, indent, info: info.trim(), line: index + 1, code: [] };
    } else if (fence && marks.startsWith(open.fence) && info.trim() === '') {
      const [language = '', ...rest] = open.info.split(/\s+/);
      if (/^(ts|typescript|tsx|mts)$/.test(language)) {
        blocks.push({
          document,
          line: open.line,
          info: rest.join(' '),
          code: open.code.map((code) => `${code}\n`).join(''),
        });
      }
      open = undefined;
    } else {
      open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
    }
  }
  if (open) throw new SyntaxError(`${document}:${open.line}: the block is never closed`);
  return blocks;
}

/** The text that a `file=` block must be. @throws Error when the file or the region is not there */
export function sourceOf(reference: string): string {
  const [path = '', region] = reference.split('#');
  const text = readFileSync(join(root, path), 'utf8');
  return region === undefined ? text : regionOf(text, region, path);
}

function regionOf(text: string, region: string, path: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const line of text.split('\n')) {
    const [, opened] = /^\s*\/\/ #region(?: (.*))?$/.exec(line) ?? [];
    const marker = /^\s*\/\/ #(region|endregion)\b/.exec(line)?.[1];
    if (depth === 0) {
      if (opened?.trim() === region) depth = 1;
    } else if (marker === 'region') depth++;
    else if (marker === 'endregion') {
      if (--depth === 0) return dedent(lines);
    } else lines.push(line);
  }
  throw new Error(`${path} has no closed region "${region}"`);
}

function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((line) => `${line.slice(indent)}\n`).join('');
}

/**
 * The module that runs a block: its own code, line for line, with each `// => value` turned into a call of `check(actual, expected, line)`
 * or `checkThrows(act, text, line)`, which it imports from `checks`.
 * @throws SyntaxError when an assertion stands behind something it cannot assert about
 */
export function moduleOf({ document, line: at, code }: Block, checks: string): string {
  const file = ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest, true);
  const edits: { from: number; to: number; text: string }[] = [];
  for (const assertion of code.matchAll(/\/\/ => (.*)$/gm)) {
    const line = at + file.getLineAndCharacterOfPosition(assertion.index).line + 1;
    const end = code.slice(0, assertion.index).trimEnd().length;
    const statement = statementEndingAt(file, end);
    const expected = (assertion[1] ?? '').trim();
    if (!statement)
      throw new SyntaxError(`${document}:${line}: "// =>" stands behind no statement it can assert about`);
    edits.push(editOf(statement, expected, line));
  }
  const edited = edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: replacement }) => text.slice(0, from) + replacement + text.slice(to), code);
  return `import { check as __check, checkThrows as __checkThrows } from ${JSON.stringify(checks)}; ${edited}\nexport {};\n`;
}

type Assertable =
  | { readonly at: 'expression'; readonly node: ts.ExpressionStatement }
  | { readonly at: 'constant'; readonly node: ts.VariableStatement; readonly name: string };

/** The innermost statement that ends at a position and has one value. */
function statementEndingAt(file: ts.SourceFile, end: number): Assertable | undefined {
  let found: Assertable | undefined;
  const visit = (node: ts.Node): void => {
    if (node.getStart() >= end || node.end < end) return;
    if (node.end === end && ts.isExpressionStatement(node)) found = { at: 'expression', node };
    if (node.end === end && ts.isVariableStatement(node)) {
      const [declaration, ...more] = node.declarationList.declarations;
      if (declaration && more.length === 0 && ts.isIdentifier(declaration.name)) {
        found = { at: 'constant', node, name: declaration.name.text };
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function editOf(statement: Assertable, expected: string, line: number): { from: number; to: number; text: string } {
  const thrown = /^throws (.*)$/.exec(expected)?.[1];
  const { node } = statement;
  if (statement.at === 'constant')
    return { from: node.end, to: node.end, text: ` __check(${statement.name}, (${expected}), ${line});` };
  const { expression } = statement.node;
  const [from, to] = [node.getStart(), node.end];
  if (thrown !== undefined) {
    return {
      from,
      to,
      text: `await __checkThrows(async () => (${expression.getText()}), ${JSON.stringify(thrown)}, ${line});`,
    };
  }
  const logged =
    ts.isCallExpression(expression) && expression.expression.getText() === 'console.log'
      ? expression.arguments
      : undefined;
  const actual = logged?.length === 1 && logged[0] ? logged[0].getText() : expression.getText();
  return { from, to, text: `__check((${actual}), (${expected}), ${line});` };
}
