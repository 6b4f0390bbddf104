/**
 * Writes without HTTP: what the handlers of requests do, for controllers inside a server too. All are synchronous, and throw the
 * ApiErrors that a client would get.
 */
export { create, type CreateRequest } from './operations/create.ts';
export { remove, type Removed, type RemoveRequest } from './operations/remove.ts';
export { type Updated, update, type UpdateRequest } from './operations/update.ts';
export { controllerAsWriter, type Writer } from './writer.ts';
