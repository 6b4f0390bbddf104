/** The part of the gateway controller, which Lifeline does not replace, as a process: `node harness/gateway-fixture.ts --config FILE`. */
import { runMain } from '@lifeline/k8s';
import { gatewayFixture } from '@lifeline/sim';

await runMain(gatewayFixture);
