/** How many people the sandbox has: a seeded crowd, two for each kind of job, or one for every job that is asked for. */
export const SUPPLIES = ['normal', 'scarce', 'unlimited'] as const
export type Supply = (typeof SUPPLIES)[number]
