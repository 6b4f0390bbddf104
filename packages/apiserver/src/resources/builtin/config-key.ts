/** The keys of ConfigMaps and Secrets, and how much both may hold. */
import { subdomainLimit, utf8Bytes } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { syntaxFlaws } from '../../field-error.ts';

/** 1 MiB, keys not counted. */
export const dataLimitBytes = 1024 * 1024;

const badKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function keyProblems(key: string): readonly string[] {
  const problems = utf8Bytes(key) > subdomainLimit ? [`must be no more than ${subdomainLimit} characters`] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(badKey);
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** What is wrong with the keys of a map. @param field `data` */
export const keyFlaws = (field: string, keys: readonly string[]): readonly Cause[] =>
  keys.flatMap((key) => syntaxFlaws(`${field}[${key}]`, key, keyProblems));

/** How many bytes a base64 text stands for. */
export const base64Bytes = (text: string): number =>
  (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
