import { PlatformError } from '../errors.ts';

/**
 * What breaks the contract between processes. None of these is worth a retry: a setting or an object has to change.
 *
 * - `duplicate-project-key`: two clusters cannot be told apart where only the key or the label is known
 * - `invalid-installation-id`: no label can hold it
 * - `missing-uid`: a name would be made from an object that was never stored
 */
export type ContractErrorCode = 'duplicate-project-key' | 'invalid-installation-id' | 'missing-uid';

export class ContractError extends PlatformError<ContractErrorCode> {}
