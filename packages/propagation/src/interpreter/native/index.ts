import { ownValue } from '@lifeline/core';
import type { KindName } from '../../manifest.ts';
import type { InterpreterSource, KindInterpreter } from '../interpreter.ts';
import { deployment } from './deployment.ts';
import { service } from './service.ts';

const kinds: Readonly<Record<KindName, KindInterpreter>> = { 'apps/v1 Deployment': deployment, 'v1 Service': service };

/** The kinds that Karmada knows by itself, as far as they matter here. Asked last. */
export const nativeInterpreters: InterpreterSource = (kind) => ownValue(kinds, kind);
