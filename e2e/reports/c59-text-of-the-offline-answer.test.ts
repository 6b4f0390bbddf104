/**
 * The text of an error page breaks a listener: `%` is taken for a command, and Envoy refuses a body above 4,096 bytes.
 * Source: datum-cloud/network-services-operator PR #244 (issue #243).
 * Cause:  the text went into a format string, and its length was never counted.
 * Guard:  it is the body of a direct response, as it is; the setting is refused above the limit, counted in bytes.
 */
import { expect, it } from 'vitest';
import { seconds } from '../durations.ts';
import { EdgeWorld, through } from '../edge/edge-world.ts';

it.each([
  { name: 'commands', offlineBody: '100% %COMPLETE% %RESPONSE_CODE% %DYNAMIC_METADATA(a:b)%' },
  { name: '4,096 bytes', offlineBody: 'x'.repeat(4096) },
  { name: 'other scripts', offlineBody: 'Túnel – нет связи – 接続がありません' },
  { name: 'nothing', offlineBody: '' },
])('C59: $name reaches the client as it is', async ({ offlineBody }) => {
  await using world = await EdgeWorld.start({ editing: { offlineBody } });
  await world.publish('web', { rules: through('nobody') });
  await world.until('503', () => world.shows('web') === '503', seconds(10));
  expect(world.serve('web')).toEqual({ status: 503, body: offlineBody, retryAfter: '5' });
  expect(world.envoy('web').rejected).toBe(0);
});
