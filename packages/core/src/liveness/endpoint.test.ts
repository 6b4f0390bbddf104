import { describe, expect, it } from 'vitest';
import { parseEndpoint } from './endpoint.ts';

describe('parseEndpoint', () => {
  it.each([
    ['http://localhost', { host: 'localhost', port: 80, tls: false, target: 'localhost:80' }],
    ['https://localhost', { host: 'localhost', port: 443, tls: true, target: 'localhost:443' }],
    ['http://LOCALHOST:8080', { host: 'localhost', port: 8080, tls: false, target: 'localhost:8080' }],
    ['HTTPS://Web.Example.com', { host: 'web.example.com', port: 443, tls: true, target: 'web.example.com:443' }],
    ['tcp://10.0.0.7:22', { host: '10.0.0.7', port: 22, tls: false, target: '10.0.0.7:22' }],
    ['tcp://web', { host: 'web', port: 80, tls: false, target: 'web:80' }],
    ['http://[::1]:8080', { host: '::1', port: 8080, tls: false, target: '[::1]:8080' }],
    ['https://[FD00::A]', { host: 'fd00::a', port: 443, tls: true, target: '[fd00::a]:443' }],
    ['http://[::ffff:10.0.0.7]', { host: '::ffff:10.0.0.7', port: 80, tls: false, target: '[::ffff:10.0.0.7]:80' }],
    ['http://a1.b-2.c3:65535', { host: 'a1.b-2.c3', port: 65_535, tls: false, target: 'a1.b-2.c3:65535' }],
    ['http://7web', { host: '7web', port: 80, tls: false, target: '7web:80' }],
  ])('%s', (text, want) => {
    expect(parseEndpoint(text)).toEqual(want);
  });

  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  it('253 characters are a name, 254 are none; 63 are a label, 64 are none', () => {
    expect(parseEndpoint(`http://${long}`)?.host).toHaveLength(253);
    expect(parseEndpoint(`http://${long}e`)).toBeUndefined();
    expect(parseEndpoint(`http://${'a'.repeat(63)}`)).toBeDefined();
    expect(parseEndpoint(`http://${'a'.repeat(64)}`)).toBeUndefined();
  });

  it.each([
    '',
    'localhost',
    'localhost:80',
    '//localhost',
    'http:localhost',
    'http://',
    'http:///',
    '://a',
    '1http://a',
    'http://localhost/',
    'http://localhost/path',
    'http://localhost?q',
    'http://localhost#f',
    'http://user@localhost',
    'http://a:b@c',
    'http://localhost:',
    'http://localhost:0',
    'http://localhost:65536',
    'http://localhost:080',
    'http://localhost:http',
    'http://localhost:99999',
    'http://a b',
    ' http://a',
    'http://a ',
    'http://a\n',
    'http://a\r\nx-evil: 1',
    'http://a%2fb',
    'http://%DYNAMIC_METADATA(x)%',
    'http://a_b',
    'http://-a',
    'http://a-',
    'http://.a',
    'http://a.',
    'http://a..b',
    'http://*.a',
    'http://é',
    'http://漢',
    'http://1.2.3',
    'http://1.2.3.4.5',
    'http://256.1.1.1',
    'http://01.2.3.4',
    'http://127.1',
    'http://2130706433',
    'http://a.1',
    'http://::1',
    'http://[::1',
    'http://[]',
    'http://[1.2.3.4]',
    'http://[::1]8080',
    'http://[fe80::1%eth0]',
    'http://[1::2::3]',
    'http://[1:2:3:4:5:6:7]',
    'http://[1:2:3:4:5:6:7:8:9]',
    'http://[1:2:3:4:5:6:7:8::]',
    'http://[12345::]',
    'http://[:1::2]',
    'http://[1:::2]',
    'http://[::1.2.3]',
    'http://[1.2.3.4::]',
    'http://[::256.1.1.1]',
    'http://[1:2:3:4:5:6:7:1.2.3.4]',
    null,
    undefined,
    80,
  ])('%j is refused', (text) => {
    expect(parseEndpoint(text)).toBeUndefined();
  });

  it.each([
    '::',
    '1::',
    '::1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:1.2.3.4',
    '::1.2.3.4',
    '1::5:1.2.3.4',
  ])('[%s] is an address', (host) => {
    expect(parseEndpoint(`http://[${host}]`)?.host).toBe(host);
  });
});
