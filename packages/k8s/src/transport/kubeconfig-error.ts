import { PlatformError } from '@lifeline/core';

export type KubeconfigErrorCode =
  /** No such file. */
  | 'missing'
  /** Not YAML, or not what a kubeconfig looks like. */
  | 'invalid'
  /** The context that was asked for is not there; the message has the names of those that are. */
  | 'no-such-context'
  /** Something that Lifeline does not speak: a proxy, an auth-provider, an old plugin version. */
  | 'unsupported'
  /** Text that did not come from a file names files or a command. */
  | 'not-self-contained'
  /** The in-cluster variables or files are not there: this is no pod, or it has no service account token. */
  | 'not-in-cluster';

/** Why there is no endpoint. The message names file and field, and never quotes a value that may be secret. */
export class KubeconfigError extends PlatformError<KubeconfigErrorCode> {}
