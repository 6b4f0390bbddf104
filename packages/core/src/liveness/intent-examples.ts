/** Two worked examples of a Gateway's intent, for readers and for implementations in other languages. Their digests never change. */
import type { IntentBackend } from './intent.ts';

/** Backends, the text that is digested and its digest. */
export interface IntentExample {
  readonly name: string;
  readonly backends: readonly IntentBackend[];
  /** The canonical JSON of `{v, backends}`. */
  readonly text: string;
  /** The first 16 hex digits of its SHA-256. */
  readonly intent: string;
}

const nodeId = 'a'.repeat(64);

/** Both, checked against the code by `intent.test.ts`. */
export const intentExamples: readonly IntentExample[] = [
  {
    name: 'one backend, online, plain HTTP',
    backends: [
      {
        rule: 0,
        ruleName: '',
        backend: 0,
        connector: 'conn-a',
        state: 'online',
        nodeId,
        target: 'localhost:8080',
        tls: false,
        sni: '',
      },
    ],
    text: `{"backends":[{"backend":0,"connector":"conn-a","nodeId":"${nodeId}","rule":0,"ruleName":"","sni":"","state":"online","target":"localhost:8080","tls":false}],"v":1}`,
    intent: 'e96d23d92dbd5ff6',
  },
  {
    name: 'two rules: one https backend online, one offline behind a plain backend, over IPv6',
    backends: [
      {
        rule: 0,
        ruleName: 'api',
        backend: 0,
        connector: 'conn-a',
        state: 'online',
        nodeId,
        target: '10.0.0.7:443',
        tls: true,
        sni: 'api.example.com',
      },
      {
        rule: 1,
        ruleName: '',
        backend: 1,
        connector: 'conn-b',
        state: 'offline',
        nodeId: '',
        target: '[fd00::1]:80',
        tls: false,
        sni: '',
      },
    ],
    text:
      `{"backends":[{"backend":0,"connector":"conn-a","nodeId":"${nodeId}","rule":0,"ruleName":"api","sni":"api.example.com","state":"online","target":"10.0.0.7:443","tls":true},` +
      `{"backend":1,"connector":"conn-b","nodeId":"","rule":1,"ruleName":"","sni":"","state":"offline","target":"[fd00::1]:80","tls":false}],"v":1}`,
    intent: 'b91ae0b2ee2351a8',
  },
];
