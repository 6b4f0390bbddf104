import { answerFaults } from '../edge/answer-faults.ts';
import type { Oracle } from './oracle.ts';

export const containedHook: Oracle = {
  id: 'S8',
  has: ({ hook }) => hook !== undefined,
  attach: ({ subject: { hook }, truth, report }) => ({
    hookCall: ({ key, asked, outcome }) => {
      if (outcome.at === 'failed') {
        if (!outcome.injected && outcome.code !== 'EOF') report(`the call for ${key} failed: ${outcome.code}`);
        return;
      }
      const mayChange = (name: string): boolean => hook?.mayChange(name, truth) ?? false;
      for (const fault of answerFaults(asked, outcome.answer, mayChange)) report(`the answer for ${key}: ${fault}`);
    },
  }),
};
