import { describe, expect, it } from 'vitest';
import { observed } from './observed/observed.fixture.ts';
import { bindingName, clusterOfNamespace, executionNamespace, workName } from './names.ts';

describe('names', () => {
  const examples = observed('work-and-binding-names').observed as readonly string[];

  it.each(examples)('work-and-binding-names: %s', (line) => {
    const template = /^(\S+)\/(\S+)\/(\S+) → (\S+), (\S+)$/.exec(line);
    if (template) {
      const [, namespace, name = '', kind = '', binding, work] = template;
      expect(bindingName({ kind, name })).toBe(binding);
      expect(workName({ kind, namespace, name })).toBe(work);
    } else {
      const [, name = '', work] = /^Namespace (\S+) → Work (\S+)$/.exec(line) ?? [];
      expect(workName({ kind: 'Namespace', name })).toBe(work);
    }
  });

  it('takes colons and capitals out of names of roles', () => {
    expect(bindingName({ kind: 'ClusterRole', name: 'System:Node' })).toBe('system.node-clusterrole');
    expect(workName({ kind: 'ClusterRole', name: 'System:Node' })).toMatch(/^system\.node-[b-z24-9]+$/);
  });

  it('finds the member of a namespace', () => {
    expect(clusterOfNamespace(executionNamespace('lax-1'))).toBe('lax-1');
    expect(clusterOfNamespace('default')).toBeUndefined();
  });
});
