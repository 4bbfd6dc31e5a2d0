/** The flags by which commands narrow parcels and their invoice to one customer. */
import type { Flag, FlagValues } from '../../cli/command.ts'
import { AppError } from '../../core/errors.ts'

export const CUSTOMER_FLAGS = [
  { flag: 'customer', kind: 'text', value: 'NAME', description: 'only parcels of this customer of yours' },
  { flag: 'without-customer', kind: 'boolean', description: 'only parcels without a customer' },
] as const satisfies readonly Flag[]

/**
 * Returns the filter that the flags mean: empty for parcels without a customer, undefined for all parcels. Throws
 * AppError('usage') for both flags.
 */
export function readCustomer({
  customer,
  'without-customer': without = false,
}: FlagValues<typeof CUSTOMER_FLAGS>): string | undefined {
  if (!without) return customer
  if (customer === undefined) return ''
  throw new AppError('usage', 'Give --customer or --without-customer, not both.')
}

/** Returns the filter as a field of an input; an empty object for all parcels. */
export function toCustomerFilter(customer: string | undefined): { customer?: string } {
  return customer === undefined ? {} : { customer }
}

/** Returns the end of a title: ` for Green Cup`, ` without a customer`, or nothing for all parcels. */
export function formatCustomerSuffix(customer: string | null | undefined): string {
  if (customer === undefined) return ''
  return customer === null || customer === '' ? ' without a customer' : ` for ${customer}`
}
