/** One request to a plane, and its whole answer. */
import { type JsonObject, type JsonValue, parseJson, readAll, stringifyJson, type Transport } from '@lifeline/core';

export interface Sending {
  /** Default `GET`. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text goes as it is, anything else as JSON. */
  readonly body?: JsonValue | undefined;
  /** Of the body. Default `application/json`. */
  readonly type?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Empty where the text is no object. */
  readonly body: JsonObject;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const never = new AbortController().signal;

export async function send(transport: Transport, path: string, sending: Sending = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, type = 'application/json', signal = never } = sending;
  const response = await transport(
    {
      method,
      url: `https://plane.test${path}`,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: encoder.encode(typeof body === 'string' ? body : stringifyJson(body)) }),
    },
    { signal },
  );
  const text = decoder.decode(await readAll(response.body));
  const value = text.startsWith('{') ? (parseJson(text) as JsonObject) : {};
  return { status: response.status, headers: response.headers, text, body: value };
}
