/** Groups of Kubernetes itself are not for everyone: a definition in one says who approved it, or that nobody did. */
import type { Cause } from '../../api-error.ts';
import { invalidValue, required } from '../../field-error.ts';
import { goQuote } from '../../go-text.ts';
import type { Definition, DefinitionCondition } from './definition.ts';

const annotation = 'api-approved.kubernetes.io';

interface Approval {
  /** As the condition has it. */
  readonly reason: 'MissingAnnotation' | 'InvalidAnnotation' | 'UnapprovedAnnotation' | 'ApprovedAnnotation';
  readonly message: string;
  readonly text: string;
}

/** Undefined: anyone may define the group. */
function approvalOf({ metadata, spec }: Definition): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group)) return undefined;
  const text = metadata.annotations?.[annotation] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(annotation)}`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (text === '') return { reason: 'MissingAnnotation', message: `${must}, ${see}`, text };
  if (text.startsWith('unapproved')) {
    return { reason: 'UnapprovedAnnotation', message: `not approved: ${goQuote(text)}`, text };
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\s]/.test(text)) {
    return { reason: 'ApprovedAnnotation', message: `approved in ${text}`, text };
  }
  const message = `${must} with either a URL or a reason starting with "unapproved", ${see}`;
  return { reason: 'InvalidAnnotation', message, text };
}

/** What was so before is let pass. */
export function approvalFlaws(definition: Definition, old: Definition | undefined): readonly Cause[] {
  const approval = approvalOf(definition);
  if (!approval || (old && approvalOf(old)?.reason === approval.reason)) return [];
  const path = `metadata.annotations[${annotation}]`;
  switch (approval.reason) {
    case 'MissingAnnotation':
      return [required(path, approval.message)];
    case 'InvalidAnnotation':
      return [invalidValue(path, approval.text, approval.message)];
    case 'UnapprovedAnnotation':
    case 'ApprovedAnnotation':
      return [];
  }
}

/** Undefined: the group needs no approval. */
export function approvalCondition(definition: Definition): DefinitionCondition | undefined {
  const approval = approvalOf(definition);
  if (!approval) return undefined;
  const { reason, message } = approval;
  const status = reason === 'ApprovedAnnotation' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}
