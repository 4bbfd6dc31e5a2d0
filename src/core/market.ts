/** The zone of the sandbox's one market. */
export const MARKET_TIMEZONE = 'Europe/London'

/** The standard rate of VAT in the sandbox's one market: of rides, runs, visits, tasks and the fees of every store. */
export const MARKET_TAX_BPS = 2000
