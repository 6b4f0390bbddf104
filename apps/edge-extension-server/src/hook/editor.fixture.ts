/** An editor whose requests say in JSON what becomes of them, and the parts of a hook around it. */
import { type DurationMs, type ObjectKey, parseJson, stringifyJson } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { type EdgeIndex, LiveIndex } from '@lifeline/edge';
import { testEnv, type TestEnv } from '@lifeline/k8s/testing';
import { type Edit, type Editor, InvalidRequest } from '../edit/editor.ts';
import { ReportHub } from '../report/report-hub.ts';
import { Hook, type HookOptions } from './hook.ts';

export interface ScriptedRequest {
  /** By key: the stamp. */
  readonly gateways?: Readonly<Record<string, string>>;
  /** The edit throws this. */
  readonly fault?: string;
  /** The edit takes so long. */
  readonly editMs?: DurationMs;
  /** Of the answer. Default: the request's. */
  readonly answerBytes?: number;
  readonly contained?: number;
  readonly padding?: string;
}

export const requestOf = (script: ScriptedRequest): Buffer => Buffer.from(stringifyJson(script as never));

export class ScriptedEditor implements Editor {
  readonly #index: EdgeIndex;
  readonly #busy: (ms: DurationMs) => void;
  /** Edits that were made. */
  answers = 0;

  /** @param busy lets time pass while nothing else runs */
  constructor(index: EdgeIndex, busy: (ms: DurationMs) => void) {
    this.#index = index;
    this.#busy = busy;
  }

  open(request: Uint8Array): Edit {
    let script: ScriptedRequest;
    try {
      script = parseJson(new TextDecoder().decode(request)) as ScriptedRequest;
    } catch (cause) {
      throw new InvalidRequest('no JSON', { cause });
    }
    const gateways = Object.entries(script.gateways ?? {}).map(([key, stamp]) => {
      const [namespace = '', name = ''] = key.split('/');
      return {
        key,
        namespace,
        name,
        stamp: stamp === '' ? undefined : stamp,
      };
    });
    return {
      gateways,
      answer: () => {
        this.answers++;
        this.#busy(script.editMs ?? 0);
        if (script.fault !== undefined) throw new Error(script.fault);
        const contained = script.contained ?? 0;
        return {
          bytes: script.answerBytes === undefined ? request : new Uint8Array(script.answerBytes),
          release: () => undefined,
          rows: gateways.map(({ key, namespace, name, stamp = '' }) => ({
            namespace,
            name,
            stamp,
            intent: this.#index.intent(key),
            outcome: contained > 0 ? 'contained' : 'programmed',
            reason: contained > 0 ? 'Skew' : '',
          })),
          counts: {
            clusters: gateways.length,
            listeners: 1,
            routeConfigs: 1,
            clustersReplaced: gateways.length,
            clustersOffline: 0,
            connectorOfflineRoutes: 0,
            vhostsConnectorApplied: gateways.length,
            contained,
            rolledBack: 0,
          },
          containedBy: new Map(contained > 0 ? [['Skew', contained]] : []),
          indexRevision: this.#index.revision,
          phases: { clusters: 1, routes: 2, validate: 3, quiet: 4 },
        };
      },
    };
  }
}

/** A clock that edits can use up. */
class BusyClock extends VirtualClock {
  #busyMs = 0;

  busy(ms: DurationMs): void {
    this.#busyMs += ms;
  }

  override monotonic(): ReturnType<VirtualClock['monotonic']> {
    return (super.monotonic() + this.#busyMs) as ReturnType<VirtualClock['monotonic']>;
  }
}

export const nodeId = 'a'.repeat(64);

export class HookScene implements Disposable {
  readonly clock = new BusyClock();
  readonly env: TestEnv;
  readonly index: LiveIndex;
  readonly editor: ScriptedEditor;
  readonly reports: ReportHub;
  readonly hook: Hook;

  constructor(options: Partial<HookOptions> = {}) {
    const { clock } = this;
    this.env = testEnv({ clock, signal: new AbortController().signal });
    this.index = new LiveIndex({ clock, classes: ['edge'] });
    this.index.setNamespace('ns', true);
    for (const name of ['a', 'b']) this.gateway(`ns/${name}`);
    this.index.markSynced();
    this.editor = new ScriptedEditor(this.index, (ms) => clock.busy(ms));
    this.reports = new ReportHub({ clock, replica: 'r1' });
    this.hook = new Hook({
      ...this.env,
      clock,
      index: this.index,
      editor: this.editor,
      reports: this.reports,
      concurrency: 2,
      messageLimitBytes: 1024 * 1024,
      ...options,
    });
  }

  /** A Gateway whose HTTPProxy leads to a connector of its own. */
  gateway(key: ObjectKey): void {
    this.online(key, true);
    this.index.setHTTPProxy(key, {
      spec: { rules: [{ backends: [{ endpoint: 'http://localhost:80', connector: { name: nameOf(key) } }] }] },
    });
    this.index.setGateway(key, { metadata: {}, spec: { gatewayClassName: 'edge' } });
  }

  online(key: ObjectKey, isOnline: boolean): void {
    this.index.setConnector(key, {
      metadata: {},
      status: {
        conditions: [{ type: 'Ready', status: isOnline ? 'True' : 'False' }],
        connectionDetails: { type: 'PublicKey', publicKey: { id: nodeId } },
      },
    });
  }

  /** The intent that a Gateway will have once its connector is as given. */
  intentWhen(key: ObjectKey, isOnline: boolean): string {
    using other = new HookScene();
    other.online(key, isOnline);
    return other.index.intent(key);
  }

  logged(): readonly Record<string, unknown>[] {
    return this.env.lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'PostTranslateModify');
  }

  [Symbol.dispose](): void {
    this.hook[Symbol.dispose]();
  }
}

const nameOf = (key: ObjectKey): string => key.slice(key.indexOf('/') + 1);
