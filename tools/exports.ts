import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './root.ts';

/** A front door of a package: a path that others may import, and the source behind it. */
export interface EntryPoint {
  /** `@lifeline/core/testing` */
  readonly name: string;
  /** From the root of the repository. */
  readonly source: string;
}

/** The entry points with a source, of the package in a folder. */
export function entryPoints(folder: string): EntryPoint[] {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports?: Readonly<Record<string, string | { readonly '@lifeline/source'?: string }>>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? undefined : target['@lifeline/source'];
    return source === undefined ? [] : [{ name: join(name, path), source: join(folder, source) }];
  });
}

/**
 * The names that a module exports, sorted, a type as `type Name`.
 *
 * Read from its text: a front door only lists (`export *` and default exports are banned), and the type check proves that what it lists
 * is there.
 * @throws SyntaxError at `export *` or a default export
 */
export function exportedNames(source: string, text: string): string[] {
  const file = ts.createSourceFile(source, text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => namesOf(statement)).sort();
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) throw new SyntaxError(`a default export: ${statement.getText()}`);
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause))
      throw new SyntaxError(`not a list of names: ${statement.getText()}`);
    return exportClause.elements.map(
      (element) => `${isTypeOnly || element.isTypeOnly ? 'type ' : ''}${element.name.text}`,
    );
  }
  const exported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!exported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [`type ${statement.name.text}`];
  if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
    return [statement.name.text];
  throw new SyntaxError(`no name: ${statement.getText()}`);
}
