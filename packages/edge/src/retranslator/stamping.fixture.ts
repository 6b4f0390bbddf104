/** A retranslator as apps run it, on an edge in memory, with one extension server whose reports are the test's. */
import { annotations, type DurationMs, Gateway, intentVersion, type Outcome, type Transport } from '@lifeline/core';
import { Edge, namespace } from '../index/edge.fixture.ts';
import type { CallPhase, ReportMessage, ReportRow, ReportSource } from '../report/report.ts';
import { reportSettings, type ReportSettings } from '../settings.ts';
import { retranslation } from './retranslation.ts';

/** A stream of reports that says what it is told to, for as long as it is read. */
export class ToldReports implements ReportSource {
  readonly name: string;
  opened = 0;
  readonly #before: ReportMessage[] = [];
  #unread: ReportMessage[] = [];
  #wake = (): void => undefined;

  constructor(name = 'this process') {
    this.name = name;
  }

  /** Told again to who watches later. */
  say(message: ReportMessage): void {
    this.#before.push(message);
    this.#unread.push(message);
    this.#wake();
  }

  async *watch(signal: AbortSignal): AsyncIterable<ReportMessage> {
    this.opened++;
    this.#unread = [...this.#before];
    const aborted = (): void => this.#wake();
    signal.addEventListener('abort', aborted);
    try {
      for (;;) {
        signal.throwIfAborted();
        const next = this.#unread.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', aborted);
    }
  }
}

export interface StampingOptions {
  readonly stampAnnotation?: string | undefined;
  readonly reports?: Partial<ReportSettings> | undefined;
  /** Other servers than the edge's API, by URL. */
  readonly servers?: Readonly<Record<string, Transport>> | undefined;
}

interface AnswerOptions {
  readonly by?: string;
  readonly outcome?: Outcome;
  /** One that began; default: another one. */
  readonly call?: number;
}

export const caller = '10.0.0.1';
export const [web, webKey] = ['web', `${namespace}/web`] as const;

/** With a published service `web` through the connector `a`, without a stamp and known to nobody. */
export class Stamping implements AsyncDisposable {
  readonly edge = new Edge();
  readonly reports = new ToldReports();
  #calls = 0;
  readonly #retranslation: Disposable;

  private constructor({ stampAnnotation, reports = {}, servers = {} }: StampingOptions) {
    const { edge } = this;
    for (const [url, transport] of Object.entries(servers)) edge.elsewhere.set(url, transport);
    this.#retranslation = retranslation({
      env: edge.process.env,
      index: edge.feed.index,
      edge: edge.provider,
      classes: ['edge'],
      stampAnnotation: stampAnnotation ?? annotations.intent,
      reports: reportSettings.parse(reports),
      own: this.reports,
    });
  }

  /** @param stamp of `web` */
  static async start(options: StampingOptions & { readonly stamp?: string | undefined } = {}): Promise<Stamping> {
    const stamping = new Stamping(options);
    const { edge } = stamping;
    edge.namespace();
    edge.connector('a');
    edge.proxy(web, 'a');
    edge.gateway(web, options.stamp);
    stamping.synced();
    await edge.clock.settle();
    return stamping;
  }

  /** All is as wanted, and was before. */
  static async quiet(options: StampingOptions = {}): Promise<Stamping> {
    const stamping = await Stamping.start(options);
    const { edge } = stamping;
    edge.gateway(web, stamping.wanted);
    stamping.answered({ [web]: stamping.wanted });
    await edge.clock.advance(60_000);
    return stamping;
  }

  /** The intent of `web`. */
  get wanted(): string {
    return this.edge.feed.index.intent(webKey);
  }

  get stamp(): string | undefined {
    return this.stampOf(web);
  }

  stampOf(name: string): string | undefined {
    return this.edge.api.get(Gateway, { namespace, name })?.metadata.annotations?.[annotations.intent];
  }

  /** Requests so far that are none of a watch. */
  get asked(): readonly string[] {
    return this.edge.api.requests
      .filter(({ path }) => !path.includes('watch='))
      .map(({ method, path, status }) => `${method} ${path.replace(/\?.*/, '')} ${status}`);
  }

  after(ms: DurationMs): Promise<void> {
    return this.edge.clock.advance(ms);
  }

  synced(): void {
    this.reports.say({ at: 'synced', replica: 'r1', digestVersion: intentVersion });
  }

  connected(by = caller, connected = true): void {
    this.reports.say({ at: 'caller', replica: 'r1', caller: by, connected });
  }

  /** A call begins. @param isFirst of these Gateways by this caller, who is told of them therefore @returns its number */
  began(names: readonly string[], { by = caller, isFirst = false } = {}): number {
    const rows = names.map((name): ReportRow => ({
      namespace,
      name,
      stamp: '',
      intent: 'none',
      outcome: 'aborted',
      reason: '',
    }));
    this.#say('started', { call: ++this.#calls, names, by, rows: isFirst ? rows : [] });
    return this.#calls;
  }

  /** A whole call about these, with what was programmed. */
  answered(
    intents: Readonly<Record<string, string>>,
    { by = caller, outcome = 'programmed', call = ++this.#calls }: AnswerOptions = {},
  ): void {
    const rows = Object.entries(intents).map(([name, intent]): ReportRow => ({
      namespace,
      name,
      stamp: '',
      intent,
      outcome,
      reason: '',
    }));
    this.#say('answered', { call, names: Object.keys(intents), by, rows });
  }

  ended(phase: 'failed' | 'aborted', names: readonly string[], by = caller): void {
    this.#say(phase, { call: ++this.#calls, names, by });
  }

  async metric(name: string): Promise<readonly string[]> {
    return this.edge.metric(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#retranslation[Symbol.dispose]();
    await this.edge[Symbol.asyncDispose]();
  }

  #say(
    phase: CallPhase,
    told: {
      readonly call: number;
      readonly names: readonly string[];
      readonly by: string;
      readonly rows?: readonly ReportRow[];
    },
  ): void {
    const { call, names, by, rows = [] } = told;
    const group = names.toSorted().join();
    this.reports.say({
      ...{ at: 'call', replica: 'r1', call, caller: by, phase, group, rows },
      ...{ indexRevision: 1, ageMs: 0, digestVersion: intentVersion },
    });
  }
}
