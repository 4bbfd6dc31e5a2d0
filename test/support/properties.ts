/**
 * fast-check for properties and models. In `npm test` every run draws the same cases, so that what is green stays green;
 * the longer battery draws new ones each time and prints the seed of what it finds.
 */
import fc from 'fast-check'
import { rounds } from './battery.ts'

fc.configureGlobal(rounds<fc.GlobalParameters>({ seed: 20_261_120 }, {}))

export { fc }
