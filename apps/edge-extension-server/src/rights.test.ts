import { describe, expect, it } from 'vitest';
import { config } from './config.ts';
import { extensionServerRights } from './rights.ts';

const rights = (settings: object): string[] => {
  const parsed = config.parse({
    gatewayClasses: ['edge'],
    hook: { listen: ['127.0.0.1:0'] },
    report: { listen: ['127.0.0.1:0'] },
    edit: {},
    reports: {},
    ...settings,
  });
  const { cluster, truth, reports } = extensionServerRights(parsed);
  return Object.entries({ cluster, truth, reports }).flatMap(([where, rules]) =>
    rules.flatMap(({ resources, verbs }) =>
      (verbs ?? []).flatMap((verb) => (resources ?? []).map((resource) => `${where} ${verb} ${resource}`)),
    ),
  );
};

const writes = (all: readonly string[]): string[] => all.filter((right) => !/ (get|list|watch) /.test(right));

describe('the rights', () => {
  it('are to read what the index lives on, and to write nothing', () => {
    const all = rights({ withRetranslator: false });
    expect(writes(all)).toEqual([]);
    for (const kind of ['connectors', 'httpproxies', 'gateways', 'namespaces']) {
      expect(all).toContain(`cluster list ${kind}`);
      expect(all).toContain(`cluster watch ${kind}`);
    }
    expect(all).toContain('truth watch configmaps');
    expect(all.filter((right) => right.startsWith('reports'))).toEqual([]);
  });

  it('with the retranslator are one more: the stamp', () => {
    expect(writes(rights({}))).toEqual(['cluster patch gateways']);
    expect(rights({ reports: { service: 'lifeline/servers' } })).toContain('reports watch endpointslices');
  });
});
