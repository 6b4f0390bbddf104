/** The kinds of the recording: as loose as its definitions were. */
import { defineKind, type Kind } from '@lifeline/core';
import { z } from 'zod';
import type { Manifest } from '../manifest.ts';

const loose = z.looseObject({});
const schema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: loose,
  spec: loose.nullish(),
  status: loose.nullish(),
}) as unknown as z.ZodType<Manifest>;

const open = (apiVersion: `${string}/${string}`, kind: string, statusSubresource = true): Kind<Manifest> => {
  const [group = '', version = ''] = apiVersion.split('/');
  const plural = `${kind.toLowerCase()}s`;
  return defineKind({ group, version, kind, plural, scope: 'Namespaced', statusSubresource, schema });
};

export const Connector = open('networking.datumapis.com/v1alpha1', 'Connector');
export const WorkloadDeployment = open('compute.datumapis.com/v1alpha', 'WorkloadDeployment');
/** Of another group, with the same name. */
export const OtherConnector = open('other.example.com/v1', 'Connector');
/** Without the status subresource. */
export const Nosub = open('nosub.example.com/v1', 'Nosub', false);
export const Late = open('late.example.com/v1', 'Late');
