import { describeError } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';

/** What an error says, as Karmada puts it into conditions: the API server's own words, without ours around them. */
export function serverWords(error: unknown): string {
  if (!isKubeError(error)) return describeError(error);
  const { code, status, reason, message } = error;
  if (code === 'kind-missing') return 'the server could not find the requested resource';
  const call = /^[a-z-]+: ([A-Z]+) (\S+): /.exec(message);
  if (!call) return message;
  const [prefix, method = '', url] = call;
  const words = message.slice(prefix.length);
  if (status === undefined) return `${method.charAt(0)}${method.slice(1).toLowerCase()} "${url}": ${words}`;
  const without = (text: string, word: string | undefined): string =>
    word && text.startsWith(`${word} `) ? text.slice(word.length + 1) : text;
  return without(without(words, String(status)), reason);
}
