/** A kind as the CustomResourceDefinition that teaches it to an API server. */
import type { Kind } from '../kinds/kind.ts';
import type { CustomResourceDefinition } from '../kinds/kubernetes/custom-resource-definition.ts';
import { type StructuralOptions, structuralSchema } from './structural-schema.ts';

/**
 * One version per version of the descriptor, all with the same schema; the one we speak is stored.
 * @throws UnrepresentableError
 */
export function customResourceDefinition(kind: Kind, options: StructuralOptions): CustomResourceDefinition {
  const openAPIV3Schema = structuralSchema(kind, options);
  const annotations = { ...kind.crdAnnotations, ...approval(kind.group) };
  const singular = kind.kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular,
        ...listOf('shortNames', kind.shortNames),
        ...listOf('categories', kind.categories),
      },
      scope: kind.scope,
      versions: kind.versions.map((name) => ({
        name,
        served: true,
        storage: name === kind.version,
        ...subresources(kind),
        ...listOf('additionalPrinterColumns', kind.printerColumns),
        ...listOf(
          'selectableFields',
          kind.selectableFields.map((jsonPath) => ({ jsonPath })),
        ),
        schema: { openAPIV3Schema: { ...openAPIV3Schema } },
      })),
    },
  };
}

function subresources({ statusSubresource, scaleSubresource }: Kind): { subresources?: object } {
  if (!statusSubresource && !scaleSubresource) return {};
  return {
    subresources: {
      ...(statusSubresource ? { status: {} } : {}),
      ...(scaleSubresource ? { scale: scaleSubresource } : {}),
    },
  };
}

const listOf = <K extends string, T>(key: K, list: readonly T[]): { [P in K]?: T[] } =>
  (list.length > 0 ? { [key]: [...list] } : {}) as { [P in K]?: T[] };

/** The API server refuses CRDs in Kubernetes' own groups that neither are approved nor say that they are not. */
const approval = (group: string): Record<string, string> =>
  /(^|\.)(k8s|kubernetes)\.io$/.test(group)
    ? { 'api-approved.kubernetes.io': 'unapproved, a partial copy for test planes' }
    : {};
