/** The other process of {@link PlanesApart}. */
import { Connector } from '@lifeline/core';
import { createAuthority } from '@lifeline/k8s/testing';
import { Flips } from './flips.ts';
import type { Ask, Listens } from './planes-apart.ts';
import { Platform, type PlatformOptions, renew } from './platform.ts';

const platform = new Platform(JSON.parse(process.argv[2] ?? '') as PlatformOptions);
const { hub, planes, places } = platform;
const flips = new Flips(platform);

async function bringOnline(): Promise<void> {
  await platform.until(() => hub.api.objects(Connector).length === places.length);
  for (const place of places) while (!(await renew(place, 3_600))) await platform.until(() => true);
  await platform.until(() => flips.online === places.length);
}

async function done(ask: Ask): Promise<void> {
  switch (ask.to) {
    case 'fill':
      return platform.fill();
    case 'bring online':
      return bringOnline();
    case 'hold':
      return platform.hold(ask.turn);
    case 'let go':
      return platform.letGo(ask.turn);
  }
}

const authority = createAuthority('bench');
const tls = authority.issue({ commonName: 'plane', dnsNames: ['localhost'], addresses: ['127.0.0.1'] });
const listening = await Promise.all([hub, ...planes].map(({ replica }) => replica.listen({ tls })));
process.on('message', (ask: Ask) => void done(ask).then(() => process.send?.({})));
process.once('disconnect', () => process.exit());
const listens: Listens = { urls: listening.map(({ url }) => url), authority: authority.certificate };
process.send?.(listens);
