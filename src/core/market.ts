/** The time zone of the sandbox's only market. */
export const MARKET_TIMEZONE = 'Europe/London'

/** The currency of the sandbox's only market. */
export const MARKET_CURRENCY = 'GBP'

/**
 * The standard VAT rate of the sandbox's only market, in basis points. It applies to rides, deliveries, visits, tasks
 * and every store's fees.
 */
export const MARKET_TAX_BPS = 2000
