import { defineApp, runMain } from '@lifeline/k8s';
import { app } from './app.ts';
import { startWatchdog } from './watchdog.ts';

await runMain(
  defineApp({
    ...app,
    async start(env, settings) {
      using _watchdog = startWatchdog(env);
      await app.start(env, settings);
    },
  }),
);
