/**
 * fast-check for properties and models. In `npm test` every run draws the same cases, so that passing tests stay
 * passing. The longer battery draws new ones and prints the seed of a failure.
 */
import fc from 'fast-check'
import { limit, recordTally, seed } from './battery.ts'

fc.configureGlobal({ seed: limit(20_261_120, seed), reporter: count })

/** Counts the runs of a property for its battery. Throws when it failed, as fast-check does by itself. */
function count<Drawn>(run: fc.RunDetails<Drawn>): void {
  recordTally({ tries: run.numRuns, broken: run.failed ? 1 : 0 })
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance })
}

export { fc }
