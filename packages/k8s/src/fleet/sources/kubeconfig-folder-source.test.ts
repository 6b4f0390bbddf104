import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createHealth, formatHealth, type HealthRegistry } from '../../app/health.ts';
import { createLog } from '../../app/log.ts';
import { filesOf } from '../../testing/files.ts';
import { kubeconfig } from '../../testing/kubeconfig.ts';
import type { FleetControl } from '../cluster.ts';
import { kubeconfigFolderSource } from './kubeconfig-folder-source.ts';

/** A folder that the test edits, and what the source made of it. */
function setUp(path = '/planes'): {
  clock: VirtualClock;
  health: HealthRegistry;
  files: Record<string, string>;
  calls: string[];
  lines: string[];
  stop: () => Promise<void>;
} {
  const clock = new VirtualClock();
  const files: Record<string, string> = { '/planes/a.kubeconfig': kubeconfig('https://a'), '/planes/..data': 'x' };
  const calls: string[] = [];
  const lines: string[] = [];
  const fleet: FleetControl = {
    engage: (name, target) => calls.push(`engage ${name} ${target.endpoint.server}`),
    suspend: (name) => calls.push(`suspend ${name}`),
    disengage: (name) => calls.push(`disengage ${name}`),
  };
  const health = createHealth();
  const running = new AbortController();
  const source = kubeconfigFolderSource({
    path,
    files: filesOf(files),
    clock,
    health,
    log: createLog({ clock, write: (line) => lines.push(line) }),
  });
  const run = source(fleet, running.signal).catch(() => undefined);
  return {
    clock,
    health,
    files,
    calls,
    lines,
    async stop() {
      running.abort(new Error('stop'));
      await run;
    },
  };
}

describe('kubeconfigFolderSource', () => {
  it('engages, moves and disengages as files come, change and go', async () => {
    const { clock, files, calls, stop } = setUp();
    await clock.advance(0);
    expect(calls.splice(0)).toEqual(['engage a https://a']);
    files['/planes/b.yaml'] = kubeconfig('https://b');
    await clock.advance(10_000);
    expect(calls.splice(0)).toEqual(['engage b https://b']);
    files['/planes/a.kubeconfig'] = kubeconfig('https://a2');
    await clock.advance(10_000);
    expect(calls.splice(0)).toEqual(['engage a https://a2']);
    delete files['/planes/a.kubeconfig'];
    await clock.advance(10_000);
    expect(calls.splice(0)).toEqual(['disengage a']);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('keeps what is engaged while a file is half written, and says so once', async () => {
    const { clock, files, calls, lines, stop } = setUp();
    await clock.advance(0);
    calls.length = 0;
    files['/planes/a.kubeconfig'] = kubeconfig('https://b').slice(0, 60);
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    expect(lines.filter((line) => line.includes('what was engaged stays'))).toHaveLength(1);
    files['/planes/a.kubeconfig'] = kubeconfig('https://a');
    await clock.advance(10_000);
    expect(calls).toEqual([]);
    await stop();
  });

  it('refuses a second file for one name, and names both', async () => {
    const { clock, files, calls, lines, stop } = setUp();
    files['/planes/a.yaml'] = kubeconfig('https://other');
    await clock.advance(20_000);
    expect(calls).toEqual(['engage a https://a']);
    expect(lines.filter((line) => line.includes('a.kubeconfig') && line.includes('a.yaml'))).toHaveLength(1);
    await stop();
  });

  it('keeps everything while the folder cannot be read: unreadable is not empty', async () => {
    const { clock, files, calls, lines, stop } = setUp();
    await clock.advance(0);
    calls.length = 0;
    for (const path of Object.keys(files)) delete files[path];
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    expect(lines).toHaveLength(1);
    await stop();
  });

  it('a folder that is not there is not ready, and said aloud once, until it is mounted', async () => {
    const { clock, health, files, calls, lines, stop } = setUp('/later');
    expect(health.readyz().ok).toBe(false);
    await clock.advance(60_000);
    expect(formatHealth(health.readyz())).toContain('[-]kubeconfigs of /later failed: ');
    expect(lines.filter((line) => line.includes('"level":"error"') && line.includes('/later'))).toHaveLength(1);
    files['/later/p.kubeconfig'] = kubeconfig('https://p');
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(true);
    expect(calls).toEqual(['engage p https://p']);
    delete files['/later/p.kubeconfig'];
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(false);
    await stop();
    expect(health.readyz().checks).toEqual([]);
  });

  it('a file that cannot be used is not ready while its cluster is not engaged, and forgotten with the file', async () => {
    const { clock, health, files, stop } = setUp();
    await clock.advance(0);
    expect(health.readyz().ok).toBe(true);
    files['/planes/b.kubeconfig'] = 'no: [kubeconfig';
    await clock.advance(10_000);
    expect(formatHealth(health.readyz())).toContain('/planes/b.kubeconfig: ');
    files['/planes/b.kubeconfig'] = kubeconfig('https://b');
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(true);
    files['/planes/b.kubeconfig'] = kubeconfig('https://b').slice(0, 60);
    files['/planes/a.yaml'] = kubeconfig('https://other');
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(true);
    files['/planes/c.kubeconfig'] = 'no: [kubeconfig';
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(false);
    delete files['/planes/c.kubeconfig'];
    await clock.advance(10_000);
    expect(health.readyz().ok).toBe(true);
    await stop();
  });
});
