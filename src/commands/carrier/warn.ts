/** Warns of a parcel that is probably not meant so: before a price is agreed to, never in its way. */
import { findOptionWarnings } from '../../areas/carrier/rules/options.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { findCountryCode } from '../../core/country.ts'
import { doubtLines, doubtTown } from '../../core/places/town.ts'

/** The inputs of `create_shipment` and `quote_rates`, as far as they say where a parcel goes. */
type Input = {
  options?: { signature_required?: boolean; leave_safe_place?: string }
  recipient?: {
    address?: { line1?: string; line2?: string; city?: string; postal_code?: string; country_code?: string }
  }
  to_city?: string
  to_postal_code?: string
  to_country_code?: string
}

/** Warns of a town or a line that does not fit the postcode, and of options of which one wins. */
export async function warnOfParcel(cli: CommandContext, input: Input): Promise<void> {
  await warnOfTown(cli, input)
  for (const warning of findOptionWarnings(input.options).warnings ?? []) await cli.say(`warning: ${warning}`)
}

async function warnOfTown(cli: CommandContext, input: Input): Promise<void> {
  const {
    line1 = '',
    line2 = '',
    city = input.to_city,
    postal_code = input.to_postal_code,
    country_code = input.to_country_code,
  } = input.recipient?.address ?? {}
  if (city === undefined || postal_code === undefined || country_code === undefined) return
  const country = findCountryCode(country_code) ?? country_code
  const address = { line1, line2, city, postal_code, country_code: country }
  const doubt = doubtLines(address) ?? doubtTown(address)
  if (doubt !== undefined) await cli.say(`warning: ${doubt}. One of them may be wrong.`)
}
