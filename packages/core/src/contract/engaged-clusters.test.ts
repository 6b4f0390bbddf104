import { describe, expect, it } from 'vitest';
import { EngagedClusters } from './engaged-clusters.ts';
import { ContractError } from './errors.ts';

describe('EngagedClusters', () => {
  it('two clusters with one key are an error that names both, and nothing is added', () => {
    const engaged = new EngagedClusters(['org-a/p1']);
    expect(() => engaged.add('org-b/p1')).toThrow(ContractError);
    expect(() => engaged.add('org-b/p1')).toThrow(/duplicate-project-key.*"org-a\/p1".*"org-b\/p1"/);
    expect([...engaged.names()]).toEqual(['org-a/p1']);
    expect(engaged.byLabel('cluster-org-b_p1')).toBeUndefined();
  });

  it('adding and removing twice is harmless; a key is free once its cluster is gone', () => {
    const engaged = new EngagedClusters(['org-a/p1']);
    engaged.add('org-a/p1');
    engaged.remove('org-b/p1');
    expect(engaged.has('org-a/p1')).toBe(true);
    engaged.remove('org-a/p1');
    engaged.remove('org-a/p1');
    expect(engaged.size).toBe(0);
    engaged.add('org-b/p1');
    expect(engaged.byKey('p1')).toBe('org-b/p1');
    expect(engaged.byLabel('cluster-org-b_p1')).toBe('org-b/p1');
  });
});
