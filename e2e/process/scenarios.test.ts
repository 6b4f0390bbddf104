import { afterAll, beforeAll, describe, it } from 'vitest';
import { badNeighbour } from '../scenarios/bad-neighbour.ts';
import { comesAndGoes } from '../scenarios/comes-and-goes.ts';
import { mainJob } from '../scenarios/main-job.ts';
import { beforeAndAfter, hostnameTwice, twoBehindOne, weighted } from '../scenarios/proxies.ts';
import { ProcessStage } from './stage.fixture.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await ProcessStage.open();
});
afterAll(() => stage?.close());

describe('on real planes, with a real Envoy Gateway and Envoy', { timeout: 180_000 }, () => {
  it('the main job', () => mainJob(stage));
  it('an agent dies and comes back', () => comesAndGoes(stage));
  it('proxies before and after their connectors, repointed, deleted', () => beforeAndAfter(stage));
  it('two connectors behind one Gateway', () => twoBehindOne(stage));
  it('weighted backends', () => weighted(stage));
  it('one hostname in two projects', () => hostnameTwice(stage));
  it('a bad connector beside fifty good ones', () => badNeighbour(stage));
});
