/** The service as the simulation runs it: bundled, and loaded once for each simulated process, which then shares no memory. */
export { openService } from '../../src/host/embedded.ts'
export { invokeControl } from '../../src/sandbox/control/invoke.ts'
export { runDueBatch } from '../../src/sandbox/tick.ts'
/** Also stands for `node:sqlite`. */
export * from './disk.ts'
