import { runMain } from '@lifeline/k8s';
import { app } from './app.ts';

await runMain(app);
