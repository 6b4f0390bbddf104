/** Names of compute objects. They are the same on every plane, so they are made in one place. */
import { sha256Hex } from './digest.ts';

export interface DeploymentIdentity {
  readonly workloadName: string;
  readonly workloadUid: string;
  readonly placement: string;
  readonly cityCode: string;
}

/** The name of a new WorkloadDeployment: at most 41 characters. An existing one for the same three keeps the name it has. */
export function workloadDeploymentName({ workloadName, workloadUid, placement, cityCode }: DeploymentIdentity): string {
  const head = workloadName.slice(0, 30).replace(/[^a-z0-9]+$/, '');
  return `${head}-${sha256Hex([workloadUid, placement, cityCode].join('\0'), 10)}`;
}

/** `<deployment>-<ordinal>`; the ordinal is also the Instance's `instance-index` label, which is what counts. */
export const instanceName = (deployment: string, ordinal: number): string => `${deployment}-${ordinal}`;

const claimPrefix = 'instance-';

/** The ResourceClaim of an Instance. */
export const claimName = (instance: string): string => claimPrefix + instance;

/** The Instance whose claim has this name; undefined for other claims. */
export const instanceOfClaim = (claim: string): string | undefined =>
  claim.startsWith(claimPrefix) && claim.length > claimPrefix.length ? claim.slice(claimPrefix.length) : undefined;

/** The PropagationPolicy of a city. `LAX` → `city-lax`; what a slug of at most 40 characters cannot say gets a hash: `New York`. */
export function cityPolicyName(cityCode: string): string {
  const slug = cityCode
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  if (slug !== '' && slug.toUpperCase() === cityCode) return `city-${slug}`;
  return ['city', ...(slug === '' ? [] : [slug]), sha256Hex(cityCode, 10)].join('-');
}

/** The template hash of today's scheme begins so; one with another prefix is compared by content. */
export const templateHashPrefix = 'v1-';
