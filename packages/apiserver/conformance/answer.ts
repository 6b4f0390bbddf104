import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@lifeline/core';

/** What a server said, whole. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The request in short, for reports. */
  readonly to: string;

  constructor(answer: Pick<Answer, 'status' | 'headers' | 'text' | 'to'>) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.text = answer.text;
    this.to = answer.to;
  }

  /** The body as JSON; null where it is none. */
  get body(): JsonValue {
    try {
      return parseJson(this.text);
    } catch {
      return null;
    }
  }

  get object(): JsonObject {
    const { body } = this;
    return isJsonObject(body) ? body : {};
  }

  /** The value at a path of the body: `at('metadata', 'managedFields', 0, 'manager')`. */
  at(...path: readonly (string | number)[]): JsonValue | undefined {
    return valueAt(this.body, path);
  }

  get resourceVersion(): string {
    return textOf(this.at('metadata', 'resourceVersion'));
  }

  get uid(): string {
    return textOf(this.at('metadata', 'uid'));
  }

  get items(): readonly JsonObject[] {
    const items = this.at('items');
    return isJsonArray(items) ? items.filter(isJsonObject) : [];
  }

  /** `metadata.name` of each item. */
  get names(): readonly string[] {
    return this.items.map(nameOf);
  }
}

export function valueAt(value: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const step of path) {
    if (isJsonArray(here)) here = here[Number(step)];
    else if (isJsonObject(here)) here = Object.hasOwn(here, step) ? here[step] : undefined;
    else return undefined;
  }
  return here;
}

/** A string as it is; anything else as JSON. */
const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : stringifyJson(value);

/** The answer. @throws Error with what the server said, where its status is another */
export function required(answer: Answer, status = 200): Answer {
  if (answer.status === status) return answer;
  throw new Error(`${answer.to}: expected ${status}, got ${answer.status} ${answer.text.slice(0, 400)}`);
}

export const nameOf = (object: JsonObject): string => textOf(valueAt(object, ['metadata', 'name']));
