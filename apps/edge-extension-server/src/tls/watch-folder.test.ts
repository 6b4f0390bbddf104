import { mkdir, mkdtempDisposable, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@lifeline/core/testing';
import { systemFiles } from '@lifeline/k8s';
import { createAuthority, testEnv, until } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { FollowedCertificates } from './certificates.ts';
import { watchFolder } from './watch-folder.ts';

const authority = createAuthority();

/** A Secret as a kubelet writes it: a folder for each version, and a link that is swapped. */
async function writeSecret(folder: string, version: string): Promise<string> {
  const { certificate, key } = authority.issue({ commonName: version });
  await mkdir(join(folder, version));
  for (const [name, text] of Object.entries({
    'ca.crt': authority.certificate,
    'tls.crt': certificate,
    'tls.key': key,
  }))
    await writeFile(join(folder, version, name), text);
  await symlink(version, join(folder, '..tmp'));
  await rename(join(folder, '..tmp'), join(folder, '..data'));
  return certificate;
}

it('certificates of a mounted Secret are read again when it is swapped', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-secret-'));
  const first = await writeSecret(folder.path, '..v1');
  for (const name of ['ca.crt', 'tls.crt', 'tls.key']) await symlink(join('..data', name), join(folder.path, name));
  const clock = new VirtualClock();
  const life = new AbortController();
  const env = { ...testEnv({ clock, signal: life.signal }), files: systemFiles, watchFolder };
  const at = (name: string): string => join(folder.path, name);
  const paths = { ca: at('ca.crt'), certificate: at('tls.crt'), key: at('tls.key') };
  const certificates = await FollowedCertificates.load(paths, env, life.signal);
  expect(certificates.current.certificate).toBe(first);
  const running = certificates.run(life.signal);
  await clock.settle();
  const second = await writeSecret(folder.path, '..v2');
  // From the poll every 30 s to the second after a hint.
  await until(() => (clock.nextDue ?? Infinity) <= 1_000);
  await clock.advance(1_000);
  await until(() => certificates.current.certificate === second);
  life.abort();
  await running;
  expect(clock.pending).toBe(0);
});

it('a folder that is not there is not watched, and nothing else happens', () => {
  watchFolder('/nothing/here', () => expect.unreachable())[Symbol.dispose]();
});
