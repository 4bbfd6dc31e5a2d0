/** A parcel as a sender names it: by its tracking number, or by the reference that it was given. */
import {
  isTrackingNumber,
  looksLikeTrackingNumber,
  normalizeTrackingNumber,
} from '../../areas/carrier/rules/tracking-number.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { type Args, readTextArgument } from '../../cli/command.ts'
import { stateWords } from '../../cli/output/state-words.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { chooseParcel } from './choose-parcel.ts'

/** The parcels that an ambiguous reference names, as far as they are shown. */
const SHOWN = 5

/**
 * Returns the tracking number of a parcel; of those with one reference, that of the one which is not cancelled. Throws AppError: `shipment_not_found`, or `usage` with the numbers of all
 * parcels that share the reference.
 */
export async function resolveTrackingNumber(client: Client, typed: string): Promise<string> {
  const number = normalizeTrackingNumber(typed)
  if (looksLikeTrackingNumber(number)) return number
  const reference = typed.trim()
  const { value } = await client.call('list_shipments', { reference, limit: SHOWN + 1 })
  // A reference that several parcels had one after the other means the one that is not cancelled.
  const living = value.data.filter(({ status }) => status !== 'cancelled')
  const [found, ...others] = living.length === 0 ? value.data : living
  const shown = JSON.stringify(reference.slice(0, 60))
  if (found === undefined)
    throw new AppError('shipment_not_found', `No parcel with the tracking number or reference ${shown}.`, {
      hint: '`dray carrier list` shows your parcels with both.',
    })
  if (others.length === 0) return found.tracking_number
  const named = [found, ...others]
    .slice(0, SHOWN)
    .map(
      ({ tracking_number, status, created_at }) =>
        `${tracking_number} (${stateWords(status)}, made on ${created_at.slice(0, 10)})`,
    )
  const more = others.length >= SHOWN ? ' and others' : ''
  throw new AppError('usage', `Reference ${shown} matches ${named.join(' and ')}${more}.`, {
    hint: 'Use the tracking number instead.',
    extra: {
      reason: {
        code: 'reference_ambiguous',
        tracking_numbers: [found, ...others].map((each) => each.tracking_number),
      },
    },
  })
}

/** The arguments with the number of the parcel that is meant, and its reference where a person confirms that. */
export async function nameParcel(cli: CommandContext, args: Args): Promise<{ args: Args; name?: string }> {
  const typed = readTextArgument(args, 'tracking_number')
  if (typed === undefined) {
    const { operation } = cli.spec
    if (args['input'] !== undefined || operation?.plane === 'sandbox') return { args }
    const chosen = await chooseParcel(cli, operation?.read !== true)
    return { args: { ...args, tracking_number: chosen } }
  }
  if (isTrackingNumber(normalizeTrackingNumber(typed))) return { args }
  const number = await resolveTrackingNumber(await cli.client(), typed)
  return { args: { ...args, tracking_number: number }, name: typed }
}
