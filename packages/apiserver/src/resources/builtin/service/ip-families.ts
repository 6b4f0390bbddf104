/** IP families on a cluster that has IPv4 alone. @see kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/storage/alloc.go */
import type { Cause } from '../../../api-error.ts';
import { invalidValue } from '../../../field-error.ts';
import { needsClusterIP, type ServiceSpec } from './spec.ts';

/** Without a selector nothing says which family the endpoints of a headless Service will be of: it may have any. */
const takesAnyFamily = ({ clusterIP, clusterIPs, selector = {} }: ServiceSpec): boolean =>
  (clusterIPs?.[0] ?? clusterIP) === 'None' && Object.keys(selector).length === 0;

/** Filled in as far as they were left out. */
export function familiesOf(spec: ServiceSpec): Pick<ServiceSpec, 'ipFamilies' | 'ipFamilyPolicy'> {
  const { ipFamilies = [], ipFamilyPolicy } = spec;
  const [first = 'IPv4'] = ipFamilies;
  const families = ipFamilies.length === 0 ? [first] : ipFamilies;
  if (!takesAnyFamily(spec)) return { ipFamilies: families, ipFamilyPolicy: ipFamilyPolicy ?? 'SingleStack' };
  const policy = ipFamilyPolicy ?? 'RequireDualStack';
  const second = first === 'IPv4' ? 'IPv6' : 'IPv4';
  const isDual = policy !== 'SingleStack' && families.length === 1;
  return { ipFamilies: isDual ? [first, second] : families, ipFamilyPolicy: policy };
}

/** What only a cluster with both families can give. A real server says nothing else beside it. */
export function familyFlaws(spec: ServiceSpec): readonly Cause[] {
  if (!needsClusterIP(spec) || takesAnyFamily(spec)) return [];
  const { ipFamilies = [], ipFamilyPolicy } = spec;
  const policy = 'this cluster is not configured for dual-stack services';
  return [
    ...(ipFamilyPolicy === 'RequireDualStack' ? [invalidValue('spec.ipFamilyPolicy', ipFamilyPolicy, policy)] : []),
    ...ipFamilies.flatMap((family, index) =>
      family === 'IPv6' ? [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')] : [],
    ),
  ];
}
