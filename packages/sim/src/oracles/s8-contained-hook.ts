import type { Oracle } from './oracle.ts';

export const containedHook: Oracle = {
  id: 'S8',
  has: ({ hook }) => hook !== undefined,
  attach: () => ({}),
};
