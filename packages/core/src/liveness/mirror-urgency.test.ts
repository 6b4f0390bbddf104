import { describe, expect, it } from 'vitest';
import { isUrgentStatusChange } from './mirror-urgency.ts';

const details = {
  type: 'PublicKey',
  publicKey: { id: 'a'.repeat(64), homeRelay: 'https://r1.example', addresses: [1, 2] },
};
const condition = (type: string, status: string, message = '') => ({ type, status, message });
const status = {
  conditions: [condition('Ready', 'True'), condition('Accepted', 'True')],
  connectionDetails: details,
  lastSeen: 1,
};
const withKey = (over: object, from = status) => ({
  ...from,
  connectionDetails: { ...details, publicKey: { ...details.publicKey, ...over } },
});

describe('isUrgentStatusChange', () => {
  it.each([
    { name: 'nothing changed', after: structuredClone(status), want: false },
    { name: 'C49: a heartbeat', after: { ...status, lastSeen: 2 }, want: false },
    { name: 'C49: another relay', after: withKey({ homeRelay: 'https://r2.example' }), want: false },
    { name: 'C49: the order of addresses', after: withKey({ addresses: [2, 1] }), want: false },
    {
      name: 'only a message',
      after: { ...status, conditions: [condition('Ready', 'True', 'new'), condition('Accepted', 'True')] },
      want: false,
    },
    { name: 'the order of conditions', after: { ...status, conditions: status.conditions.toReversed() }, want: false },
    {
      name: 'Ready flips',
      after: { ...status, conditions: [condition('Ready', 'False'), condition('Accepted', 'True')] },
      want: true,
    },
    {
      name: 'another condition flips',
      after: { ...status, conditions: [condition('Ready', 'True'), condition('Accepted', 'False')] },
      want: true,
    },
    {
      name: 'a condition appears',
      after: { ...status, conditions: [...status.conditions, condition('X', 'True')] },
      want: true,
    },
    { name: 'a condition goes', after: { ...status, conditions: [condition('Ready', 'True')] }, want: true },
    {
      name: 'one type for another',
      after: { ...status, conditions: [condition('Ready', 'True'), condition('X', 'True')] },
      want: true,
    },
    { name: 'the node id', after: withKey({ id: 'b'.repeat(64) }), want: true },
    { name: 'the node id, written otherwise', after: withKey({ id: 'A'.repeat(64) }), want: true },
    { name: 'the status goes', after: undefined, want: true },
    { name: 'the type of details', after: { ...status, connectionDetails: { type: 'Other' } }, want: true },
  ])('$name → $want', ({ after, want }) => {
    expect(isUrgentStatusChange(status, after)).toBe(want);
  });

  it('a node id that changes while offline is urgent too', () => {
    const offline = { ...status, conditions: [condition('Ready', 'False')] };
    expect(isUrgentStatusChange(offline, withKey({ id: 'b'.repeat(64) }, offline))).toBe(true);
  });
});
