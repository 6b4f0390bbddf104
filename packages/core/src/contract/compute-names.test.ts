import { describe, expect, it } from 'vitest';
import { isDnsSubdomain } from '../meta/syntax.ts';
import { cityPolicyName, claimName, instanceName, instanceOfClaim, workloadDeploymentName } from './compute-names.ts';

const workload = { workloadName: 'web', workloadUid: 'u1', placement: 'us', cityCode: 'LAX' };

describe('compute names', () => {
  it('a deployment is named after all three parts of its identity', () => {
    const name = workloadDeploymentName(workload);
    expect(name).toBe('web-24c24ee6f5');
    const others = [
      { workloadUid: 'u2' },
      { placement: 'eu' },
      { cityCode: 'lax' },
      { placement: 'us\0LAX', cityCode: '' },
    ];
    const names = others.map((over) => workloadDeploymentName({ ...workload, ...over }));
    expect(new Set([name, ...names]).size).toBe(5);
  });

  it('a long Workload name is cut to 30 characters and an alphanumeric end', () => {
    const name = workloadDeploymentName({ ...workload, workloadName: `${'w'.repeat(28)}--${'x'.repeat(30)}` });
    expect(name.slice(0, -10)).toBe(`${'w'.repeat(28)}-`);
    expect(name.length).toBeLessThanOrEqual(41);
    expect(isDnsSubdomain(name)).toBe(true);
  });

  it('instances and their claims', () => {
    expect(instanceName('web-1', 0)).toBe('web-1-0');
    expect(claimName('web-1-0')).toBe('instance-web-1-0');
    expect(instanceOfClaim('instance-web-1-0')).toBe('web-1-0');
    expect(instanceOfClaim('instance-')).toBeUndefined();
    expect(instanceOfClaim('disk-web')).toBeUndefined();
  });

  it.each([
    ['LAX', /^city-lax$/],
    ['SFO-1', /^city-sfo-1$/],
    ['lax', /^city-lax-[0-9a-f]{10}$/],
    ['New_York', /^city-new-york-[0-9a-f]{10}$/],
    ['A.B', /^city-a-b-[0-9a-f]{10}$/],
    ['X'.repeat(41), /^city-x{40}-[0-9a-f]{10}$/],
    ['', /^city-[0-9a-f]{10}$/],
  ])('the policy of %j', (code, want) => {
    expect(cityPolicyName(code)).toMatch(want);
    expect(isDnsSubdomain(cityPolicyName(code))).toBe(true);
  });
});
