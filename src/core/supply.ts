/** How many people the sandbox has: a seeded crowd, two for each kind of job, or one for every job that is asked for. */
export const SUPPLIES = ['normal', 'scarce', 'unlimited'] as const
export type Supply = (typeof SUPPLIES)[number]

/** How many people a scarce world has for a job. */
const SCARCE = 2

/** Those of the people who could do a job whom the world has for it. */
export function peopleAtWork<T>(able: readonly T[], supply: Supply): readonly T[] {
  return supply === 'scarce' ? able.slice(0, SCARCE) : able
}
