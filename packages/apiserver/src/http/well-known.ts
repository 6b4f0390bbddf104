/** `/version`, and how the server is. */
import type { TransportRequest } from '@lifeline/core';
import { methodNotAllowed } from '../api-error.ts';
import { type Answer, pageNotFound, plainText } from './answer.ts';
import { withoutEnd } from './resource-path.ts';

/** What clients look at before they rely on something. */
export const serverVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3+lifeline',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
} as const;

/** What a server that runs in one process can say of itself. */
const checks = ['ping', 'etcd'] as const;

/** Paths that may be asked for without credentials. */
export const isPublicPath = (path: string): boolean => /^\/(version\/?|livez|readyz|healthz)$/.test(path);

/** Undefined for every other path. @throws ApiError 405 */
export function wellKnown({ method }: TransportRequest, path: string, query: URLSearchParams): Answer | undefined {
  if (withoutEnd(path) === '/version') {
    if (method !== 'GET') throw methodNotAllowed();
    return { code: 200, type: 'application/json', body: JSON.stringify(serverVersion, null, 2) };
  }
  const [, probe, check] = /^\/(livez|readyz|healthz)(?:\/(.*))?$/.exec(path) ?? [];
  if (probe === undefined) return undefined;
  if (check !== undefined) return checks.some((name) => name === check) ? plainText(200, 'ok') : pageNotFound;
  if (!query.has('verbose')) return plainText(200, 'ok');
  const excluded = query.getAll('exclude');
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}`);
  return plainText(200, [...lines, `${probe} check passed`, ''].join('\n'));
}
