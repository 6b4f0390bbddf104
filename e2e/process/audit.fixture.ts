/** What service accounts did, as the audit logs of the planes have it. */
import { readdirSync, readFileSync } from 'node:fs';
import { type DurationMs, epochMsOf, formatTime, parseTime, systemClock } from '@lifeline/core';
import { userAgent } from './harness/admin-client.ts';
import { fullName, namespace, type Release } from './harness/deploy.ts';
import { file, type PlaneName } from './harness/names.ts';

interface AuditEvent {
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  /** RFC 3339. */
  readonly requestReceivedTimestamp: string;
  readonly verb: string;
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

export interface Asked {
  /** `group/resource verb`, as in rules. */
  readonly granted: ReadonlySet<string>;
  /** The same. */
  readonly refused: ReadonlySet<string>;
}

/** An API server that has just started knows no roles yet, and refuses everybody. */
const settlesMs: DurationMs = 5_000;

/** What a release's service account asked a plane for, about resources, whoever of its processes; what tests ask in its name is left out. */
export function askedOf(plane: PlaneName, release: Release): Asked {
  const user = `system:serviceaccount:${namespace}:${fullName(release)}`;
  const starts = startsOf(plane);
  const [granted, refused] = [new Set<string>(), new Set<string>()];
  for (const line of linesOf(plane)) {
    if (!line.includes(user)) continue;
    const event = JSON.parse(line) as AuditEvent;
    if (event.user.username !== user || event.userAgent === userAgent || !event.objectRef?.resource) continue;
    const { apiGroup = '', resource, subresource } = event.objectRef;
    const target = `${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    const { code } = event.responseStatus ?? {};
    const at = timeOf(event.requestReceivedTimestamp);
    if (code !== 403) granted.add(`${target} ${event.verb}`);
    else if (!starts.some((start) => start <= at && at - start < settlesMs)) refused.add(`${target} ${event.verb}`);
    // Server-side apply of what is absent takes the right to create it.
    if (event.verb === 'patch' && code === 201) granted.add(`${target} create`);
  }
  return { granted, refused };
}

/** Of its audit log, and those that were full before. The last line may be on its way. */
function* linesOf(plane: PlaneName): Generator<string> {
  for (const name of readdirSync(file(plane)).filter((entry) => /^audit.*\.log$/.test(entry)))
    yield* readFileSync(file(plane, name), 'utf8').split('\n').slice(0, -1);
}

/** When its API server began to answer, each time that it was started: by its log, which has no year and is in UTC. */
function startsOf(plane: PlaneName): readonly number[] {
  const log = readFileSync(file('logs', `kube-apiserver-${plane}.log`), 'utf8');
  const year = formatTime(systemClock.now()).slice(0, 4);
  return Array.from(log.matchAll(/^I(\d\d)(\d\d) (\S+) .*\] Serving securely on /gm), ([, month, day, time]) =>
    timeOf(`${year}-${month}-${day}T${time}Z`),
  );
}

function timeOf(text: string): number {
  const at = parseTime(text);
  if (at === undefined) throw new Error(`no time: ${text}`);
  return epochMsOf(at);
}
