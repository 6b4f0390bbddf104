import { describe, expect, it } from 'vitest';
import { classifyLiveness, classifyStatus, truthOf } from './classify.ts';

const id = 'A1'.repeat(32);
const key = 'a1'.repeat(32);
const details = { type: 'PublicKey', publicKey: { id, homeRelay: 'https://relay.example', addresses: [] } };
const ready = { type: 'Ready', status: 'True' };
const online = { conditions: [ready], connectionDetails: details };
const isOnline = { state: 'online', nodeId: id, nodeIdKey: key };
const offline = (reason: string) => ({ state: 'offline', reason });
const annotated = (text: string, status?: unknown) => ({
  metadata: { annotations: { 'networking.datumapis.com/upstream-status': text } },
  status,
});

describe('classifyStatus', () => {
  it.each([
    { name: 'ready, with a node id', status: online, want: isOnline },
    { name: 'absent', status: undefined, want: offline('NoStatus') },
    { name: 'null', status: null, want: offline('NoStatus') },
    { name: 'empty', status: {}, want: offline('NoStatus') },
    { name: 'a text', status: 'online', want: offline('NoStatus') },
    { name: 'a list', status: [online], want: offline('NoStatus') },
    { name: 'no conditions', status: { connectionDetails: details }, want: offline('NoReadyCondition') },
    { name: 'null conditions', status: { ...online, conditions: null }, want: offline('NoReadyCondition') },
    {
      name: 'conditions that are no list',
      status: { ...online, conditions: { Ready: ready } },
      want: offline('NoReadyCondition'),
    },
    {
      name: 'other conditions',
      status: { ...online, conditions: [{ type: 'Accepted', status: 'True' }] },
      want: offline('NoReadyCondition'),
    },
    {
      name: 'ready in another case',
      status: { ...online, conditions: [{ type: 'ready', status: 'True' }] },
      want: offline('NoReadyCondition'),
    },
    {
      name: 'ready with a space',
      status: { ...online, conditions: [{ type: 'Ready ', status: 'True' }] },
      want: offline('NoReadyCondition'),
    },
    {
      name: 'entries that are no conditions',
      status: { ...online, conditions: [null, 'Ready', ready] },
      want: isOnline,
    },
    {
      name: 'not ready',
      status: { ...online, conditions: [{ ...ready, status: 'False' }] },
      want: offline('NotReady'),
    },
    {
      name: 'ready unknown',
      status: { ...online, conditions: [{ ...ready, status: 'Unknown' }] },
      want: offline('NotReady'),
    },
    {
      name: 'ready true, the JSON value',
      status: { ...online, conditions: [{ ...ready, status: true }] },
      want: offline('NotReady'),
    },
    {
      name: 'ready "true"',
      status: { ...online, conditions: [{ ...ready, status: 'true' }] },
      want: offline('NotReady'),
    },
    {
      name: 'the first of two counts',
      status: { ...online, conditions: [{ ...ready, status: 'False' }, ready] },
      want: offline('NotReady'),
    },
    {
      name: 'the first of two counts, the other way',
      status: { ...online, conditions: [ready, { ...ready, status: 'False' }] },
      want: isOnline,
    },
    { name: 'no connection details', status: { conditions: [ready] }, want: offline('UnusableConnectionDetails') },
    {
      name: 'C09: null connection details',
      status: { ...online, connectionDetails: null },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'another type of details',
      status: { ...online, connectionDetails: { ...details, type: 'Wireguard' } },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'details without a type',
      status: { ...online, connectionDetails: { publicKey: { id } } },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'no public key',
      status: { ...online, connectionDetails: { type: 'PublicKey' } },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'no id',
      status: { ...online, connectionDetails: { ...details, publicKey: {} } },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'a null id',
      status: { ...online, connectionDetails: { ...details, publicKey: { id: null } } },
      want: offline('UnusableConnectionDetails'),
    },
    {
      name: 'an empty id',
      status: { ...online, connectionDetails: { ...details, publicKey: { id: '' } } },
      want: offline('InvalidNodeId'),
    },
    {
      name: 'a number for an id',
      status: { ...online, connectionDetails: { ...details, publicKey: { id: 7 } } },
      want: offline('InvalidNodeId'),
    },
    {
      name: 'a short id',
      status: { ...online, connectionDetails: { ...details, publicKey: { id: 'a1' } } },
      want: offline('InvalidNodeId'),
    },
    {
      name: 'an id in z-base-32',
      status: { ...online, connectionDetails: { ...details, publicKey: { id: 'y'.repeat(52) } } },
      want: { state: 'online', nodeId: 'y'.repeat(52), nodeIdKey: '0'.repeat(64) },
    },
  ])('$name', ({ status, want }) => {
    expect(classifyStatus(status)).toEqual(want);
  });

  it('keys of prototypes are not there', () => {
    expect(classifyStatus(JSON.parse('{"__proto__":{"conditions":[{"type":"Ready","status":"True"}]}}'))).toEqual(
      offline('NoReadyCondition'),
    );
  });
});

describe('classifyLiveness', () => {
  const text = JSON.stringify(online);
  const notReady = { ...online, conditions: [{ ...ready, status: 'False' }] };

  it('a missing connector is unknown, and nothing else is', () => {
    expect(classifyLiveness(undefined)).toEqual({ state: 'unknown', reason: 'ConnectorNotFound' });
  });

  it.each([
    { name: 'the annotation goes before the live status', connector: annotated(text, notReady), want: isOnline },
    {
      name: 'also when it says offline',
      connector: annotated(JSON.stringify(notReady), online),
      want: offline('NotReady'),
    },
    { name: 'an empty object is a truth: no status', connector: annotated('{}', online), want: offline('NoStatus') },
    { name: 'no annotation: live status', connector: { metadata: {}, status: online }, want: isOnline },
    {
      name: 'null annotations: live status',
      connector: { metadata: { annotations: null }, status: online },
      want: isOnline,
    },
    { name: 'an annotation that is no JSON: live status', connector: annotated('{', online), want: isOnline },
    { name: 'an empty annotation: live status', connector: annotated('', online), want: isOnline },
    { name: 'a JSON list: live status', connector: annotated('[]', online), want: isOnline },
    { name: 'JSON null: live status', connector: annotated('null', online), want: isOnline },
    { name: 'neither', connector: { metadata: {} }, want: offline('NoStatus') },
  ])('$name', ({ connector, want }) => {
    expect(classifyLiveness(connector)).toEqual(want);
  });

  it('says where the truth came from', () => {
    expect(truthOf(annotated(text, notReady)).from).toBe('annotation');
    expect(truthOf(annotated('nonsense', notReady))).toEqual({ from: 'live', status: notReady });
  });
});
