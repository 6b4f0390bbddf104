/** The roles of a chart's `files/rights.yaml`: what an app needs by what it is set to, alike ones told once. */
import { type PolicyRule, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createLog, type Env } from '@lifeline/k8s';
import { filesOf, SimulatedProcess } from '@lifeline/k8s/testing';

export interface RoleOfCases<Role extends string> {
  readonly role: Role;
  /** The settings for which it is made. */
  readonly cases: readonly string[];
  readonly rules: readonly PolicyRule[];
}

/** Roles without rules are left out. @param rightsOf the same roles for each case */
export function rolesByCase<Role extends string>(
  cases: readonly string[],
  rightsOf: (name: string) => Readonly<Record<Role, readonly PolicyRule[]>>,
): readonly RoleOfCases<Role>[] {
  const byCase = cases.map((name) => ({ name, rights: rightsOf(name) }));
  return (Object.keys(byCase[0]?.rights ?? {}) as Role[]).flatMap((role) => {
    const alike = Map.groupBy(byCase, ({ rights }) => JSON.stringify(rights[role]));
    return Array.from(alike.values(), (all) => ({
      role,
      cases: all.map(({ name }) => name),
      rules: all[0]?.rights[role] ?? [],
    })).filter(({ rules }) => rules.length > 0);
  });
}

/** For an app that is asked what it needs, and started never. */
export function idleEnv(): Env {
  const clock = new VirtualClock();
  return new SimulatedProcess({
    name: 'rights',
    clock,
    random: seeded('rights'),
    transport: () => () => Promise.reject(new Error('there is no network')),
    files: filesOf({}),
    log: createLog({ clock, write: () => undefined }),
  }).env;
}
