/**
 * The suite against any control plane:
 *
 *     node --conditions=@lifeline/source packages/apiserver/conformance/run.ts --url https://127.0.0.1:6443 \
 *       --token ADMIN [--plain-token PLAIN] [--ca FILE] [--protocol h1|h2] [--controllers] [--compacts] [--only REGEXP] [--parallel N] [--verbose]
 *
 * `--compacts` says that the server compacts its history every few seconds by itself (kube-apiserver with --etcd-compaction-interval=2s).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { conformanceCases, reportLine, runConformance, summary, type Target, untilCompacted } from './index.ts';
import { nodeTransport } from './node-transport.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'plain-token': { type: 'string' },
    ca: { type: 'string' },
    protocol: { type: 'string', default: 'h2' },
    controllers: { type: 'boolean', default: false },
    compacts: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    parallel: { type: 'string', default: '4' },
    verbose: { type: 'boolean', default: false },
  },
});
if (values.url === undefined) throw new Error('--url is missing');
const baseUrl = values.url.replace(/\/$/, '');
const protocol = values.protocol === 'h1' ? 'h1' : 'h2';
using node = nodeTransport({
  baseUrl,
  protocol,
  ca: values.ca === undefined ? undefined : readFileSync(values.ca, 'utf8'),
});
const server = {
  transport: node.transport,
  encoded: node.transport,
  baseUrl,
  credentials: { admin: values.token, plain: values['plain-token'] },
};
const compact = values.compacts ? () => untilCompacted(server) : undefined;
const target: Target = { ...server, can: { controllers: values.controllers, compact } };

const only = new RegExp(values.only);
const results = await runConformance(target, {
  cases: conformanceCases.filter(({ name }) => only.test(name)),
  parallel: Number(values.parallel),
  report: (result) => {
    if (values.verbose || result.outcome !== 'passed') console.log(reportLine(result));
  },
});
console.log(summary(results));
process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
