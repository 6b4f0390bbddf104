import type { EndpointSlice } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { reportSettings } from '../settings.ts';
import { reportAddresses, slicesOf } from './discovery.ts';

const slice = (addressType: string, ...addresses: string[]): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: 'edge', name: 'slice' },
  addressType,
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: false } })),
});

describe('where the extension servers are', () => {
  it('every address of the Service, ready or not, and those of the settings, each once', () =>
    expect(
      reportAddresses(
        [slice('IPv4', '10.0.0.2', '10.0.0.1'), slice('IPv6', 'fd00::1'), slice('IPv4', '10.0.0.1')],
        reportSettings.parse({ addresses: ['unix:/run/reports.sock', '10.0.0.1:5006'] }),
      ),
    ).toEqual(['10.0.0.1:5006', '10.0.0.2:5006', '[fd00::1]:5006', 'unix:/run/reports.sock']));

  it('the slices of a Service are those with its label', () =>
    expect(slicesOf('edge/servers')).toEqual({
      namespace: 'edge',
      labelSelector: 'kubernetes.io/service-name=servers',
    }));

  it.each(['servers', '/servers', 'edge/', 'edge/servers/x', 'edge/ servers'])('%j is no Service', (service) =>
    expect(() => reportSettings.parse({ service })).toThrow('want namespace/name'),
  );
});
