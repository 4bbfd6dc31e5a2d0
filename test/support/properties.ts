/**
 * fast-check for properties and models. In `npm test` every run draws the same cases, so that passing tests stay
 * passing. The longer battery draws new ones and prints the seed of a failure.
 */
import fc from 'fast-check'
import { rounds } from './battery.ts'

fc.configureGlobal(rounds<fc.GlobalParameters>({ seed: 20_261_120 }, {}))

export { fc }
