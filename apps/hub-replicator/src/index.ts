export { defaultPolicies, type KindSetting, kindSetting, policiesOf } from './mirror/kinds.ts';
export type { KindPolicy, StatusFlow, StatusTransform } from './mirror/policy.ts';
