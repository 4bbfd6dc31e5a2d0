/** The time zone of the sandbox's only market. */
export const MARKET_TIMEZONE = 'Europe/London'

/** The currency of the sandbox's only market. */
export const MARKET_CURRENCY = 'GBP'

/**
 * The standard VAT rate of the sandbox's only market, in basis points. It applies to rides, deliveries, visits, tasks
 * and every store's fees.
 */
export const MARKET_TAX_BPS = 2000

/**
 * The highest amounts of the sandbox's only market, in major units: what a parcel is insured for, what is collected at the
 * door, what a courier's goods are worth, and a tip (or the subtotal of its order, if that is more).
 */
export const MARKET_CEILINGS = { insured: 2500, cash_on_delivery: 1000, courier_goods: 2500, tip: 100 }
