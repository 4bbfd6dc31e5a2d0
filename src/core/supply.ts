/**
 * The number of people in the sandbox: a seeded crowd, two for each kind of job, or one for every requested job
 * (docs/rules/simulation.md#supply-can-be-scarce-or-unlimited).
 */
export const SUPPLY_LEVELS = ['normal', 'scarce', 'unlimited'] as const
export type SupplyLevel = (typeof SUPPLY_LEVELS)[number]

/** The number of people for each job in a scarce world. */
const SCARCE = 2

/** Returns the people who are available for a job, from those who are able to do it. */
export function peopleAtWork<T>(able: readonly T[], supply: SupplyLevel): readonly T[] {
  return supply === 'scarce' ? able.slice(0, SCARCE) : able
}
