import { ownValue } from '@lifeline/core';
import { ensureBinaries } from './binaries/ensure.ts';
import { called } from './command.ts';
import { run } from './process.ts';
import { summaryLine } from './summary.ts';
import { findProgram } from './tiers/find-program.ts';
import { helm, kubectl } from './tiers/programs.ts';

const usage = `npm run tier -- NAME [FILTER…]

Runs the tests of one tier, e2e/tiers/NAME, with what they need beside Node. With filters: only files whose path contains one.

  kubectl   an unmodified kubectl, 1.35 or newer, against the test planes over HTTPS
  charts    helm, 3.18 or newer: what the charts render, and installs on test planes, looked at with kubectl

Which one: the variable KUBECTL or HELM, .cache/bin, PATH; where none will do, kubectl 1.35.2 and helm 4.1.4 are brought to .cache/bin, as by
npm run binaries.`;

/** What a tier's tests find in their environment, or why they cannot run here. */
type Preparation = { readonly env: Readonly<Record<string, string>> } | { readonly cannot: string };

const programs = { kubectl, helm };

const tiers: Readonly<Record<string, readonly (keyof typeof programs)[]>> = {
  kubectl: ['kubectl'],
  charts: ['helm', 'kubectl'],
};

async function prepare(names: readonly (keyof typeof programs)[]): Promise<Preparation> {
  const env: Record<string, string> = {};
  for (const name of names) {
    const program = programs[name];
    let found = await findProgram(program);
    if (found.path === undefined) {
      for (const reason of found.reasons) console.log(`not used: ${reason}`);
      const ensured = await ensureBinaries([name]);
      if ('cannot' in ensured) return ensured;
      found = await findProgram(program);
    }
    if (found.path === undefined) return { cannot: found.reasons.join('\n') };
    console.log(`${name} ${found.version}: ${found.path}`);
    env[program.variable] = found.path;
  }
  return { env };
}

const {
  words: [name = '', ...filters],
} = called(usage);
const needs = ownValue(tiers, name);
if (!needs) {
  console.error(`${name ? `There is no tier ${name}.` : 'Which tier?'}\n\n${usage}`);
  process.exit(2);
}
const prepared = await prepare(needs);
if ('cannot' in prepared) {
  console.log(`This machine cannot run the tier ${name}:\n${prepared.cannot}`);
  console.log(summaryLine({ passed: 0, failed: 0, skipped: 1 }));
} else {
  const { code } = await run('vitest', ['run', ...filters], { env: { ...prepared.env, LIFELINE_TIER: name } });
  process.exitCode = code;
}
