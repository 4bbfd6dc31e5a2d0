/** The port of `dray serve` without --port. */
export const DEFAULT_PORT = 8080
