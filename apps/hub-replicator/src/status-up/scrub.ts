/** Takes names out of texts that mean nothing upstream, or tell of other tenants. */
import { encodeCluster } from '@lifeline/core';

export interface InternalNames {
  /** The copy's namespace. */
  readonly mapped: string;
  /** The namespace that it stands for. */
  readonly namespace: string;
  /** Full name of the project's cluster. */
  readonly cluster: string;
}

/** In place of a mapped namespace that is not this object's: whose it is cannot be told. A valid namespace name. */
export const otherNamespace = 'another-namespace';
const otherCluster = 'another-project';
const someObject = 'an-internal-object';

const clusterPrefix = 'cluster-';
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Inside longer names too: `envoy-ns-…-web`, `httproute/ns-…/web/rule/0`. */
const mappedNamespaces = new RegExp(`(?<![A-Za-z0-9])ns-${uuid}`, 'gi');
const anchors = new RegExp(`(?<![A-Za-z0-9])anchor-${uuid}`, 'gi');
/** Labels of clusters that are no plain words: with a `/` of the name as `_`, or a short form. A bare `cluster-x` may be the reader's own. */
const clusterLabels =
  /(?<![A-Za-z0-9])cluster-(?:[A-Za-z0-9.-]*_[A-Za-z0-9._-]*[A-Za-z0-9]|[A-Za-z0-9._-]+-[0-9a-f]{10}(?![A-Za-z0-9]))/g;

/** A function that scrubs texts: this object's own names become those that its reader knows, all others become neutral. */
export function scrubber({ mapped, namespace, cluster }: InternalNames): (text: string) => string {
  const label = encodeCluster(cluster)?.label;
  const namespaces = (text: string): string => {
    const known = text.replace(mappedNamespaces, (found) => (found === mapped ? namespace : otherNamespace));
    // Only a uid of another form is left. Few texts hold a name, and a pattern costs more than a look.
    return mapped !== '' && known.includes(mapped) ? known.replace(nameIn(mapped), () => namespace) : known;
  };
  const ownCluster = (text: string): string =>
    label !== undefined && text.includes(clusterPrefix) ? text.replace(wholeLabel(label), () => cluster) : text;
  return (text) => ownCluster(namespaces(text)).replace(anchors, someObject).replace(clusterLabels, otherCluster);
}

/** Inside longer names too. */
const nameIn = (name: string): RegExp => new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(name)}(?![A-Za-z0-9])`, 'g');

/** Not the beginning of a longer one: that is another cluster's. In today's form and in the legacy one. */
const wholeLabel = (label: string): RegExp =>
  new RegExp(
    `(?<![A-Za-z0-9])${clusterPrefix}_?${RegExp.escape(label.slice(clusterPrefix.length))}(?![._-]*[A-Za-z0-9])`,
    'g',
  );
