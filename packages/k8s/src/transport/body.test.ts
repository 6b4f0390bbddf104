import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { readAll, seeded } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { until } from '../testing/loopback.ts';
import { Body } from './body.ts';
import { errorOf } from './client.fixture.ts';
import { TransportError } from './transport-error.ts';

const text = 'first line 漢字🙂é\u2028\nsecond line\n'.repeat(5);

function bodyOf(headers: Record<string, string> = {}) {
  const stream = new PassThrough();
  const calls: string[] = [];
  const body = new Body({
    stream,
    method: 'GET',
    status: 200,
    headers,
    onData: () => undefined,
    endFailure: () => undefined,
    closeFailure: () => new TransportError('connection-lost', 'closed'),
    cancel: () => calls.push('cancel'),
    onSettled: () => calls.push('settled'),
  });
  return { stream, body, calls, headers };
}

const wholeText = async (body: Body): Promise<string> => new TextDecoder().decode(await readAll(body));

describe('C40: cuts', () => {
  const forms = [
    { name: 'plain', bytes: Buffer.from(text), headers: {} },
    { name: 'gzip', bytes: gzipSync(text), headers: { 'content-encoding': 'gzip' } },
  ];

  it.each(forms)('a $name body cut at every byte is the same body', async ({ bytes, headers }) => {
    for (let at = 0; at <= bytes.length; at++) {
      const { stream, body } = bodyOf({ ...headers });
      stream.write(bytes.subarray(0, at));
      stream.end(bytes.subarray(at));
      expect(await wholeText(body)).toBe(text);
    }
  });

  it.each(forms)('a $name body in single bytes is the same body', async ({ bytes, headers }) => {
    const { stream, body } = bodyOf({ ...headers });
    for (const byte of bytes) stream.write(Uint8Array.of(byte));
    stream.end();
    expect(await wholeText(body)).toBe(text);
  });

  it('a gzip body that ends at any byte before its last is an error', async () => {
    const bytes = gzipSync(text);
    for (let length = 0; length < bytes.length; length++) {
      const { stream, body } = bodyOf({ 'content-encoding': 'gzip' });
      stream.end(bytes.subarray(0, length));
      expect(await errorOf(wholeText(body)), `${length} of ${bytes.length}`).toMatchObject({ code: 'truncated' });
    }
  });
});

describe('the end', () => {
  it.each([
    { promised: text.length, want: 'truncated' },
    { promised: Buffer.byteLength(text), want: 'whole' },
    { promised: Buffer.byteLength(text) + 1, want: 'truncated' },
  ])('content-length $promised: $want', async ({ promised, want }) => {
    const { stream, body } = bodyOf({ 'content-length': String(promised) });
    stream.end(text);
    const outcome = await wholeText(body).then(
      () => 'whole',
      (error: unknown) => (error as TransportError).code,
    );
    expect(outcome).toBe(want);
  });

  it('content-length counts what was sent, not what it decodes to', async () => {
    const bytes = gzipSync(text);
    const { stream, body, headers } = bodyOf({ 'content-encoding': 'gzip', 'content-length': String(bytes.length) });
    stream.end(bytes);
    expect(await wholeText(body)).toBe(text);
    expect(headers).toEqual({});
  });

  it('before its time: what came is read first, then the failure, once and for all', async () => {
    const { stream, body, calls } = bodyOf();
    stream.write('part');
    await until(() => stream.readableLength === 0);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(new TextDecoder().decode((await body.next()).value)).toBe('part');
    expect(await errorOf(body.next())).toMatchObject({ code: 'connection-lost' });
    expect(await errorOf(body.next())).toMatchObject({ code: 'connection-lost' });
    expect(calls).toEqual(['cancel', 'settled']);
  });

  it('by the reader: the peer is told, once', async () => {
    const { stream, body, calls } = bodyOf();
    stream.write('part');
    await body.next();
    await body.return();
    await body.return();
    body.abort(new Error('late'));
    expect(await body.next()).toEqual({ done: true, value: undefined });
    expect(calls).toEqual(['cancel', 'settled']);
  });

  it('by an abort: a waiting read gets the reason, and nothing more is delivered', async () => {
    const { stream, body, calls } = bodyOf();
    const reason = new Error('enough');
    const waiting = errorOf(body.next());
    body.abort(reason);
    stream.write('late');
    expect(await waiting).toBe(reason);
    expect(await errorOf(body.next())).toBe(reason);
    expect(calls).toEqual(['cancel', 'settled']);
  });
});

it('random writes and reads deliver everything in order', async () => {
  const random = seeded('body');
  const { stream, body } = bodyOf();
  const sent = Buffer.alloc(3_000_000, 'abcdefghijklmnopqrstuvwxyz');
  const write = async (): Promise<void> => {
    for (let at = 0; at < sent.length;) {
      const length = 1 + random.int(100_000);
      if (!stream.write(sent.subarray(at, at + length))) await new Promise((resolve) => stream.once('drain', resolve));
      at += length;
    }
    stream.end();
  };
  const [, received] = await Promise.all([write(), readAll(body)]);
  expect(Buffer.compare(sent, received)).toBe(0);
});
