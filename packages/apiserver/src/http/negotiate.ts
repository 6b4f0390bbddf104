/** What an `Accept` header comes to. @see kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation */

/** What becomes of objects on their way out: nothing, rows of a table, or their metadata alone. */
export type Projection = 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export interface OutputForm {
  readonly encoding: 'json' | 'yaml';
  readonly pretty: boolean;
  readonly as: Projection;
  /** Of meta.k8s.io, for every projection but `Object`. */
  readonly version: 'v1' | 'v1beta1';
}

export const plainJson: OutputForm = Object.freeze({ encoding: 'json', pretty: false, as: 'Object', version: 'v1' });

interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * The form that a client likes best of those there are; undefined when it accepts none. No header accepts everything.
 * @param suits what else a form must be
 */
export function negotiate(
  accept: string | undefined,
  suits: (form: OutputForm) => boolean = () => true,
): OutputForm | undefined {
  if (!accept || accept === 'application/json') return plainJson;
  const clauses = clausesOf(accept).sort((a, b) => b.quality - a.quality || wildness(a) - wildness(b));
  for (const clause of clauses) {
    const encoding = encodings.find(([type]) => matches(clause.type, type))?.[1];
    const form = encoding && withParameters(clause, encoding);
    if (form && suits(form)) return form;
  }
  return undefined;
}

/** Whether one of the clauses names a media type that servers of built-in kinds write, whatever its parameters. */
export const namesKnownType = (accept: string | undefined): boolean =>
  !accept ||
  accept === 'application/json' ||
  accept.split(',').some((text) => isKnownType(text.split(';')[0] as string));

function isKnownType(text: string): boolean {
  const type = text.trim();
  return type === '*/*' || builtinTypes.includes(type);
}

/** Real servers write protobuf, too; clients that ask for it name JSON behind it. */
export const builtinTypes: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

/** What else their lists may be. */
export const streamTypes: readonly string[] = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

const encodings = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
] as const;

const matches = (pattern: string, type: string): boolean =>
  pattern === type || pattern === '*/*' || pattern === 'application/*';

const wildness = ({ type }: Clause): number => (type === '*/*' ? 2 : type.endsWith('/*') ? 1 : 0);

const clausesOf = (accept: string): Clause[] =>
  accept.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';').map((part) => part.trim());
    // What has no value is as if it were not there.
    const pairs = rest.map((part) => part.split('=').map((side) => side.trim()) as [string, string?]);
    const parameters = new Map(pairs.flatMap(([key, value]) => (value ? [[key, value] as const] : [])));
    return { type: type === '*' ? '*/*' : type, quality: qualityOf(parameters.get('q')), parameters };
  });

function qualityOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const quality = Number.parseFloat(text);
  return Number.isNaN(quality) ? 0 : quality;
}

function withParameters({ parameters }: Clause, encoding: OutputForm['encoding']): OutputForm | undefined {
  const pretty = parameters.get('pretty') === '1';
  if (parameters.get('sv') || (parameters.get('stream') ?? 'watch') !== 'watch') return undefined;
  const [as, group, version] = ['as', 'g', 'v'].map((key) => parameters.get(key));
  if (as === undefined && group === undefined && version === undefined) {
    return { encoding, pretty, as: 'Object', version: 'v1' };
  }
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1') || !isProjection(as)) return undefined;
  return { encoding, pretty, as, version };
}

const isProjection = (as: string | undefined): as is Projection =>
  as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
