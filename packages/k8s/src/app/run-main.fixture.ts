/** An app of its own process: says where its ports are, waits to be stopped. */
import { z } from 'zod';
import { defineApp } from './define-app.ts';
import { processSettings } from './process-settings.ts';
import { runMain } from './run-main.ts';

await runMain(
  defineApp({
    name: 'fixture',
    description: 'waits to be stopped',
    config: z.strictObject({
      ...processSettings,
      fail: z.boolean().default(false).describe('cannot go on'),
      unreadable: z.boolean().default(false).describe('has a metric that cannot be read'),
    }),
    async start(env, { fail, unreadable }) {
      if (fail) throw new Error('cannot go on, says the fixture');
      using _ready = env.health.ready('fixture', () => ({ ok: true }));
      using _page = env.health.page('/debug/fixture', () => {
        if (unreadable) throw new Error('unreadable, says the fixture');
        return { is: 'shown' };
      });
      using _metric = env.metrics.collect({ name: 'fixture', help: 'Sometimes unreadable.' }, () => {
        if (unreadable) throw new Error('unreadable, says the fixture');
        return [];
      });
      env.log.info({ token: 'hush' }, 'started');
      await new Promise<void>((resolve) => env.signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  }),
);
