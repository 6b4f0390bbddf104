import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../app/prometheus.ts';
import { DelayingQueue } from './delaying-queue.ts';
import { exposeQueue, observeQueue } from './queue-metrics.ts';

const a = { cluster: 'p1', key: 'a' };
const b = { cluster: 'p1', key: 'b' };

describe('queue metrics', () => {
  it('count what happened and show what is, under the names that dashboards know', async () => {
    const clock = new VirtualClock();
    const metrics = createMetrics();
    const queue = new DelayingQueue({ clock, observer: observeQueue(metrics, 'mirror') });
    const shown = exposeQueue(metrics, 'mirror', queue);
    const lines = async (): Promise<string[]> =>
      (await metrics.text()).split('\n').filter((line) => line.includes('name="mirror"') && !line.includes('_bucket'));

    queue.add(a);
    queue.add(a);
    queue.add(b);
    await clock.advance(2000);
    await queue.get();
    await clock.advance(1000);
    queue.retry(a, { afterMs: 5000, holdMs: 100, lane: 'fresh' });
    expect(await lines()).toEqual([
      'workqueue_adds_total{name="mirror"} 2',
      'workqueue_retries_total{name="mirror"} 1',
      'workqueue_queue_duration_seconds_sum{name="mirror"} 2',
      'workqueue_queue_duration_seconds_count{name="mirror"} 1',
      'workqueue_depth{name="mirror"} 1',
      'workqueue_unfinished_work_seconds{name="mirror"} 1',
      'workqueue_longest_running_processor_seconds{name="mirror"} 1',
    ]);

    queue.done(a);
    expect(await lines()).toContain('workqueue_work_duration_seconds_sum{name="mirror"} 1');
    expect(await lines()).toContain('workqueue_unfinished_work_seconds{name="mirror"} 0');

    shown[Symbol.dispose]();
    expect((await lines()).filter((line) => line.startsWith('workqueue_depth'))).toEqual([]);
  });
});
