import { describe, expect, it } from 'vitest';
import { listenH2 } from '../testing/loopback.ts';
import { clientOf, errorOf } from './client.fixture.ts';

/** Takes one token at a time, and notes what it was asked with. */
async function guarded(first: string) {
  let valid = first;
  const seen: string[] = [];
  const server = await listenH2((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? 'none';
    seen.push(token);
    response.writeHead(token === valid ? 200 : 401).end(token === valid ? 'ok' : 'who are you?');
  });
  return { ...server, seen, accept: (token: string) => void (valid = token) };
}

describe('C42: a token in a file', () => {
  const tokenFile = { credentials: { type: 'tokenFile', path: '/token' } } as const;

  it('is trimmed, kept for a minute, and read again then', async () => {
    const files = { '/token': 'one\n' };
    await using server = await guarded('one');
    await using client = clientOf(server.url, { files, ...tokenFile });
    await client.text('/');
    files['/token'] = 'two\n';
    await client.busyMinute();
    server.accept('two');
    await client.text('/');
    expect(server.seen).toEqual(['one', 'one', 'one', 'one', 'two']);
  });

  it('is read again after a 401, and the request repeated once, with its body and its fence', async () => {
    const files = { '/token': 'one' };
    await using server = await guarded('one');
    await using client = clientOf(server.url, { files, ...tokenFile });
    await client.text('/');
    server.accept('two');
    files['/token'] = 'two';
    let admitted = 0;
    const answer = await client.call('/', { method: 'POST', body: '{}', admit: () => void admitted++ });
    expect(answer.status).toBe(200);
    expect(server.seen).toEqual(['one', 'one', 'two']);
    expect(admitted).toBe(2);
  });

  it('that has not changed: the 401 is the answer, after one request', async () => {
    await using server = await guarded('two');
    await using client = clientOf(server.url, { files: { '/token': 'one' }, ...tokenFile });
    const answer = await client.call('/');
    expect(answer.status).toBe(401);
    for await (const body of answer.body) expect(new TextDecoder().decode(body)).toBe('who are you?');
    expect(server.seen).toEqual(['one']);
  });

  it('that changes for nothing is tried once, not for ever', async () => {
    const files = { '/token': 'one' };
    await using server = await guarded('three');
    await using client = clientOf(server.url, { files, ...tokenFile });
    expect((await client.call('/')).status).toBe(401);
    files['/token'] = 'two';
    expect((await client.call('/')).status).toBe(401);
    expect(server.seen).toEqual(['one', 'one', 'two']);
  });

  it.each([
    { name: 'empty', content: '' },
    { name: 'gone', content: undefined },
  ])('that is $name keeps the old one, with a warning that does not quote it', async ({ content }) => {
    const files: Record<string, string | undefined> = { '/token': 's3cret' };
    await using server = await guarded('s3cret');
    await using client = clientOf(server.url, { files: files as Record<string, string>, ...tokenFile });
    await client.busyMinute();
    files['/token'] = content;
    expect(await client.text('/')).toBe('ok');
    expect(client.warnings).toHaveLength(1);
    expect(client.warnings[0]).toMatch(/cannot use the new token \(\/token\)/);
    expect(client.warnings[0]).not.toContain('s3cret');
  });

  it('that was never there: no request is sent', async () => {
    await using server = await guarded('one');
    await using client = clientOf(server.url, tokenFile);
    expect(await errorOf(client.call('/'))).toMatchObject({ code: 'no-credentials', message: /no token in \/token/ });
    expect(server.accepted()).toBe(0);
  });

  it('is read once for many endpoints and requests', async () => {
    let reads = 0;
    const files = {
      get '/token'() {
        reads++;
        return 'one';
      },
    };
    await using server = await guarded('one');
    await using client = clientOf(server.url, { files, ...tokenFile });
    const endpoints = Array.from({ length: 20 }, (_, n) => client.at({ server: `${server.url}/p${n}` }));
    await Promise.all(endpoints.flatMap((endpoint) => [endpoint.text('/a'), endpoint.text('/b')]));
    expect(reads).toBe(1);
  });
});

it('a request that brings its own authorization keeps it', async () => {
  await using server = await guarded('mine');
  await using client = clientOf(server.url, { credentials: { type: 'token', token: 'theirs' } });
  expect(await client.text('/', { headers: { authorization: 'Bearer mine' } })).toBe('ok');
});
