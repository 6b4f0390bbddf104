import { ConfigMap, labels, Namespace, type Transport } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createClient, createLog, TransportError } from '@lifeline/k8s';
import { createScriptedApi, type ScriptedApi } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { installationId } from './installation.ts';

function world() {
  const clock = new VirtualClock();
  const api = createScriptedApi({ clock, random: seeded('hub'), kinds: [ConfigMap, Namespace] });
  const stop = new AbortController();
  const link = { down: false };
  const transport: Transport = (request, options) =>
    link.down
      ? Promise.reject(new TransportError('connect-failed', 'nobody listens'))
      : api.transport(request, options);
  const read = (configured?: string, seed = 'replica'): Promise<string> => {
    const random = seeded(seed);
    const client = createClient({ transport, baseUrl: 'https://hub', clock, random, userAgent: 'test' });
    const env = { clock, random, log: createLog({ clock, write: () => undefined }), signal: stop.signal };
    return installationId({ client, env, configured });
  };
  return { clock, api, stop, link, read };
}

const put = (api: ScriptedApi, data: Record<string, string>) =>
  api.put(ConfigMap, { metadata: { namespace: 'lifeline-truth', name: 'lifeline-installation' }, data });

describe('the installation id', () => {
  it('is made once, by the first replica, and is what everyone reads', async () => {
    const { api, clock, read } = world();
    const [first, second] = await clock.run(Promise.all([read(undefined, 'a'), read(undefined, 'b')]));
    expect(first).toMatch(/^[0-9a-f]{20}$/);
    expect(second).toBe(first);
    expect(await clock.run(read(undefined, 'c'))).toBe(first);
    expect(api.get(ConfigMap, { namespace: 'lifeline-truth', name: 'lifeline-installation' })?.data).toEqual({
      id: first,
    });
  });

  it('a configured one is put there, and accepted when it is there', async () => {
    const { clock, read } = world();
    expect(await clock.run(read('demo'))).toBe('demo');
    expect(await clock.run(read('demo'))).toBe('demo');
    expect(await clock.run(read())).toBe('demo');
  });

  it('another one than configured refuses to start, and says what to do', async () => {
    const { api, clock, read } = world();
    put(api, { id: 'other' });
    await expect(clock.run(read('demo'))).rejects.toThrow(
      /says "other", the setting says "demo": take the setting away/,
    );
  });

  it('one that was lost is told by what carries it', async () => {
    const { api, clock, read } = world();
    const first = await clock.run(read());
    for (const name of ['ns-a', 'ns-b']) {
      const marks = { [labels.installation]: first, [labels.upstreamNamespace]: 'default' };
      api.put(Namespace, { metadata: { name, labels: marks } });
    }
    api.remove(ConfigMap, { namespace: 'lifeline-truth', name: 'lifeline-installation' });
    expect(await clock.run(read(undefined, 'later'))).toBe(first);
    api.remove(ConfigMap, { namespace: 'lifeline-truth', name: 'lifeline-installation' });
    api.remove(Namespace, { name: 'lifeline-truth' });
    expect(await clock.run(read(undefined, 'later still'))).toBe(first);
  });

  it('one that was lost where several are in use is asked for', async () => {
    const { api, clock, read } = world();
    for (const id of ['b', 'a']) {
      const marks = { [labels.installation]: id, [labels.upstreamNamespace]: 'default' };
      api.put(Namespace, { metadata: { name: `ns-${id}`, labels: marks } });
    }
    await expect(clock.run(read())).rejects.toThrow(/carry several ids \(a, b\): say in the setting/);
    expect(await clock.run(read('b'))).toBe('b');
  });

  it.each([{ data: {} }, { data: { id: 'Not An Id' } }])('an unusable one refuses too: $data', async ({ data }) => {
    const { api, clock, read } = world();
    put(api, data);
    await expect(clock.run(read())).rejects.toThrow(/holds no usable id under "id"/);
  });

  it('a hub that does not answer is waited for, until the app stops', async () => {
    const { link, clock, read, stop } = world();
    link.down = true;
    const waiting = read();
    await clock.advance(120_000);
    link.down = false;
    await expect(clock.run(waiting)).resolves.toMatch(/^[0-9a-f]{20}$/);
    link.down = true;
    const stopped = read().catch((error: unknown) => error);
    await clock.advance(10_000);
    stop.abort(new Error('stop'));
    expect(await clock.run(stopped)).toEqual(new Error('stop'));
  });
});
