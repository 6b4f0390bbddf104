/** The names that Envoy Gateway gives to the clusters of an HTTPRoute's rules; the same under both of its name schemes. */
import { encodeText, equalSlices, type Slice } from '../wire/text.ts';

/** `httproute/<namespace>/<route>/rule/<rule>`, and behind it `/backend/<backend>` where a rule has a cluster for each backend. */
export interface RulePlace {
  readonly rule: number;
  readonly backend: number | undefined;
}

const prefix = encodeText('httproute/');
const rule = encodeText('/rule/');
const backend = encodeText('/backend/');
const slash = encodeText('/');

/** The place that a cluster's name gives; undefined when it is no such name, or that of another route. */
export function rulePlace(clusterName: Slice, namespace: Slice, route: Slice): RulePlace | undefined {
  const name = new Reader(clusterName);
  if (!name.take(prefix) || !name.takeSlice(namespace) || !name.take(slash) || !name.takeSlice(route)) return undefined;
  const ruleIndex = name.take(rule) ? name.number() : undefined;
  if (ruleIndex === undefined) return undefined;
  if (name.atEnd) return { rule: ruleIndex, backend: undefined };
  const backendIndex = name.take(backend) ? name.number() : undefined;
  return backendIndex === undefined || !name.atEnd ? undefined : { rule: ruleIndex, backend: backendIndex };
}

/** The backend that a locality's region gives: the cluster's name with `/backend/<backend>` behind it. */
export function regionBackend(region: Slice, clusterName: Slice): number | undefined {
  const rest = new Reader(region);
  if (!rest.takeSlice(clusterName) || !rest.take(backend)) return undefined;
  const index = rest.number();
  return rest.atEnd ? index : undefined;
}

/** What is left of a name. */
class Reader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor({ bytes, from, to }: Slice) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  get atEnd(): boolean {
    return this.#at === this.#end;
  }

  take(text: Uint8Array): boolean {
    return this.takeSlice({ bytes: text, from: 0, to: text.length });
  }

  /** Whether the rest begins with this; if so it is taken off. */
  takeSlice(text: Slice): boolean {
    const to = this.#at + text.to - text.from;
    if (to > this.#end || !equalSlices(text, { bytes: this.#bytes, from: this.#at, to })) return false;
    this.#at = to;
    return true;
  }

  /** A decimal number as Envoy Gateway writes it, of at most six digits. */
  number(): number | undefined {
    const from = this.#at;
    let value = 0;
    for (; this.#at < this.#end && this.#at - from < 6; this.#at++) {
      const digit = (this.#bytes[this.#at] as number) - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = this.#at - from;
    return digits === 0 || (digits > 1 && this.#bytes[from] === 0x30) ? undefined : value;
  }
}
