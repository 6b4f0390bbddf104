/** What an `Accept` header comes to. */

export interface OutputForm {
  readonly encoding: 'json' | 'yaml';
  /** What becomes of objects: they go out as they are, as rows of a table, or as their metadata. */
  readonly as: 'object' | 'table' | 'metadata';
  /** Of meta.k8s.io, for all but `object`. */
  readonly version: 'v1' | 'v1beta1';
}

export const plainJson: OutputForm = Object.freeze({ encoding: 'json', as: 'object', version: 'v1' });

/** The first form that a client accepts. Undefined: none that there is. */
export const negotiate = (_accept: string | undefined): OutputForm | undefined => plainJson;
