/** Makes Envoy Gateway translate again until what is programmed is what is wanted. */
export { app } from './app.ts';
export { config, type RetranslatorConfig } from './config.ts';
export { retranslatorRights, type RetranslatorRights } from './rights.ts';
