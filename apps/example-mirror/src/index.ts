export { app } from './app.ts';
export { config, type MirrorConfig } from './config.ts';
export { mirror, type MirrorOptions } from './mirror/controller.ts';
export { copyName, copyOf, finalizer, mirrorLabel, requestOf, sourceUidOf } from './mirror/copy.ts';
export { decide, type Decision, type Seen } from './mirror/decide.ts';
