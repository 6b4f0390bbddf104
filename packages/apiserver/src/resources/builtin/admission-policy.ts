/** Admission policies: kept, so that charts which bring some can be applied, and not evaluated. */
import { isJsonArray, isJsonObject, type JsonValue } from '@lifeline/core';
import type { Resource, StoredObject } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { admissionregistrationTypes } from './types/admissionregistration.ts';

const group = 'admissionregistration.k8s.io';

const inSpec = (object: StoredObject, field: string): JsonValue | undefined =>
  isJsonObject(object['spec']) ? object['spec'][field] : undefined;

const textIn = (value: JsonValue | undefined, field: string): string => {
  const text = isJsonObject(value) ? value[field] : undefined;
  return typeof text === 'string' ? text : '';
};

export const validatingAdmissionPolicies: Resource = builtinResource({
  group,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  types: admissionregistrationTypes,
  namespaced: false,
  categories: ['api-extensions'],
  hasGeneration: true,
  statusSubresource: true,
  columns: [
    { ...column('Validations', 'How many rules it has.'), type: 'integer' },
    column('ParamKind', 'What its parameters are.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const validations = inSpec(object, 'validations');
    const params = inSpec(object, 'paramKind');
    return [
      isJsonArray(validations) ? validations.length : 0,
      isJsonObject(params) ? `${textIn(params, 'apiVersion')}/${textIn(params, 'kind')}` : '<unset>',
      ageCell(object, now),
    ];
  },
});

export const validatingAdmissionPolicyBindings: Resource = builtinResource({
  group,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  types: admissionregistrationTypes,
  namespaced: false,
  categories: ['api-extensions'],
  hasGeneration: true,
  columns: [
    column('PolicyName', 'The policy that it makes hold.'),
    column('ParamRef', 'The parameters of the policy.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const params = inSpec(object, 'paramRef');
    const name = textIn(params, 'name');
    return [
      textIn(object['spec'], 'policyName'),
      name === '' ? '<unset>' : `${textIn(params, 'namespace') || '*'}/${name}`,
      ageCell(object, now),
    ];
  },
});
