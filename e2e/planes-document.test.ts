import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupsOfRole, kindsOfRole, type PlaneRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../docs/planes.md'), 'utf8');

/** The cells of the table of groups: without the edges, trimmed. */
const rows = text
  .split('\n')
  .filter((line) => /^\| (group|`[\w.]+`) /.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const [head = [], ...body] = rows;
const roles = head.slice(1) as PlaneRole[];

describe('docs/planes.md', () => {
  it('names the roles that there are', () => {
    expect(roles).toEqual(['management', 'project', 'hub', 'edge', 'cell']);
  });

  it.each(roles)('says which groups a plane of role %s serves', (role) => {
    const column = roles.indexOf(role) + 1;
    const said = body.filter((row) => row[column] === 'yes').map(([group = '']) => group.replaceAll('`', ''));
    expect(said).toEqual([...groupsOfRole(role)]);
    expect(said.every((group) => kindsOfRole(role).some((kind) => kind.group === group))).toBe(true);
  });
});
