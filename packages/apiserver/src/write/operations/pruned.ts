import type { Spoken } from '../../resources/spoken.ts';
import type { StoredObject } from '../../resources/resource.ts';

/**
 * What of an applied configuration is stored. A real server validates the merged object as it is, and prunes it where it is read back
 * from its storage: a null that its schema does not allow is an error in an apply, and none in any other write.
 */
export const pruned = ({ resource: { decoding, schema } }: Spoken, object: StoredObject): StoredObject =>
  decoding === 'typed' ? object : (schema.prune(object) as StoredObject);
