import { keyOf } from '@lifeline/core';
import { isWatch, type Sent, type Write } from '../world/record.ts';
import type { IdleSpan, OracleContext, OwnWrite, Oracle } from './oracle.ts';
import { isHousekeeping } from './s3-own-lane.ts';
import { placeOf } from './subject.ts';

export const noHotLoop: Oracle = {
  id: 'L7',
  has: ({ idle }) => idle !== undefined,
  attach: (context) => ({ idle: (span) => judge(span, context) }),
};

function judge({ ms, writes, sent }: IdleSpan, { subject, truth, report }: OracleContext): void {
  const own = writes.find((write) => isOwn(write, subject.replicas) && !isHousekeeping(write, subject));
  if (own) report(`${own.by?.actor} wrote ${placeOf(own.plane, keyOf(own.revision.object))} in an idle world`, own);
  const { idle } = subject;
  if (!idle) return;
  const floors = ms / idle.floorMs + 1;
  const allowed = Math.ceil(floors * idle.requestsPerFloor(truth));
  for (const replica of subject.replicas) {
    const asked = sent.filter((each) => each.actor === replica && !isWatch(each.request) && !isRenewal(each));
    if (asked.length > allowed)
      report(`${replica} sent ${asked.length} requests in ${ms / 1000} idle seconds, and ${allowed} would do`);
  }
}

const isOwn = (write: Write, replicas: readonly string[]): write is OwnWrite =>
  write.by !== undefined && replicas.includes(write.by.actor);

const isRenewal = ({ request }: Sent): boolean => request.url.includes('/leases/');
