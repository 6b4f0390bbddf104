import { defineApp, runMain } from '@lifeline/k8s';
import { app } from './app.ts';
import { growHeapByMessages } from './heap-growth.ts';
import { startWatchdog } from './watchdog.ts';

growHeapByMessages();
await runMain(
  defineApp({
    ...app,
    async start(env, settings) {
      using _watchdog = startWatchdog(env);
      await app.start(env, settings);
    },
  }),
);
