import { describe, expect, it } from 'vitest';
import { AddressError, formatAddress, isLocal, parseListenAddress } from './listen-address.ts';

describe('where a port is', () => {
  it.each([
    { text: ':5005', want: { host: undefined, port: 5005 }, local: false, shown: '*:5005' },
    { text: '0.0.0.0:5005', want: { host: '0.0.0.0', port: 5005 }, local: false, shown: '0.0.0.0:5005' },
    { text: '127.0.0.1:0', want: { host: '127.0.0.1', port: 0 }, local: true, shown: '127.0.0.1:0' },
    { text: '[::1]:5005', want: { host: '::1', port: 5005 }, local: true, shown: '[::1]:5005' },
    { text: '[::]:5005', want: { host: '::', port: 5005 }, local: false, shown: '[::]:5005' },
    { text: 'localhost:5005', want: { host: 'localhost', port: 5005 }, local: false, shown: 'localhost:5005' },
    { text: 'unix:/run/hook.sock', want: { path: '/run/hook.sock' }, local: true, shown: 'unix:/run/hook.sock' },
  ])('$text', ({ text, want, local, shown }) => {
    const address = parseListenAddress(text);
    expect(address).toEqual(want);
    expect(isLocal(address)).toBe(local);
    expect(formatAddress(address)).toBe(shown);
  });

  it.each(['', '5005', 'host', ':65536', ':-1', ':1a', '::1:5005', 'unix:', 'unix:run', 'http://x:1', '[x]:1'])(
    '%j is none',
    (text) => expect(() => parseListenAddress(text)).toThrow(AddressError),
  );
});
