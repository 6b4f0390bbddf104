import { decodeRequest } from '@lifeline/envoy-api';
import { describe, expect, it } from 'vitest';
import { createEditor } from '../edit/create-editor.ts';
import { defaultEditorSettings } from '../edit/settings.ts';
import { VirtualClock } from '@lifeline/core/testing';
import { HookScene } from './editor.fixture.ts';
import { requestThrough, warmUp } from './warm-up.ts';

const editorOn = ({ index }: HookScene) =>
  createEditor({ index, settings: defaultEditorSettings, clock: new VirtualClock() });

describe('the warm-up', () => {
  it('edits requests that do all that real ones do', () => {
    using on = new HookScene();
    on.online('ns/b', false);
    const request = requestThrough([...on.index.proxies()]);
    expect(decodeRequest(request)).toMatchObject({
      clusters: [{ name: 'httproute/ns/a/rule/0/backend/0' }, { name: 'httproute/ns/b/rule/0/backend/0' }],
      routes: [{ virtual_hosts: [{ name: 'ns.a.example.test' }, { name: 'ns.b.example.test' }] }],
    });
    const editor = editorOn(on);
    const { counts, rows, containedBy } = editor.open(request).answer();
    expect(counts).toMatchObject({ clusters: 2, clustersReplaced: 1, connectorOfflineRoutes: 1, rolledBack: 0 });
    expect(rows.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(['a programmed', 'b programmed']);
    expect([...containedBy]).toEqual([]);
  });

  it('edits everything in each round: what an editor remembers it does not edit again', () => {
    using on = new HookScene();
    const editors = new Set<unknown>();
    warmUp(() => {
      const editor = editorOn(on);
      editors.add(editor);
      return editor;
    }, on.index);
    expect(editors.size).toBeGreaterThan(10);
  });

  it('is not reported, and is left out where there is nothing to edit', () => {
    using on = new HookScene();
    warmUp(() => editorOn(on), on.index);
    expect(on.reports.callers.size).toBe(0);
    for (const key of ['ns/a', 'ns/b']) on.index.setHTTPProxy(key, undefined);
    warmUp(() => expect.unreachable(), on.index);
  });
});
