/** What in a server-side apply does not fit the schema of its kind. */
import { isKubeError } from './kube-error.ts';

const undeclared = 'field not declared in schema';
const beginning = /^failed to create typed patch object \([^)]*\): /;

/**
 * The flaws that a server names, each as `field: message`; none when it complains of something else.
 *
 * A server answers 500 to such an apply, and does so whatever `fieldValidation` says. It stops at the first unknown field of each object.
 * @see kubernetes/kubernetes@86b3ca48e staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/structuredmerge.go (Apply) and
 *   kubernetes-sigs/structured-merge-diff@v6.3.3 typed/validate.go
 */
export function applyFlaws(message: string): readonly string[] {
  const start = beginning.exec(message);
  if (!start) return [];
  const said = message.slice(start[0].length);
  const flaws = said.startsWith('errors:') ? said.split(/\n\s*/).slice(1) : [said];
  return flaws.map((flaw) => flaw.replace(/^\./, '')).filter((flaw) => flaw !== '');
}

/** The fields that a server refused because its schema lacks them, as it writes them: `spec.rules[0].extra`, `spec.ports[port=1].extra`. */
export function undeclaredFields(error: unknown): readonly string[] {
  if (!isKubeError(error, 'invalid')) return [];
  const end = `: ${undeclared}`;
  return error.causes.filter((cause) => cause.endsWith(end)).map((cause) => cause.slice(0, -end.length));
}
