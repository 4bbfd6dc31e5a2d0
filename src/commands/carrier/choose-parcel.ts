/** A parcel chosen from the sender's latest ones, where none was named and dray can prompt. */
import { SHIPMENT_STATUSES, isShipmentOver } from '../../areas/carrier/states.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { stateWords } from '../../cli/output/state-words.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'

/** The latest parcels that are looked through; others go by their numbers. */
const MAX_LATEST_PARCELS = 100

const UNDERWAY = SHIPMENT_STATUSES.filter((status) => !isShipmentOver(status))

/** Returns none for a credential that may not list them. */
async function listLatest(client: Client, underway: boolean) {
  const filters = { limit: MAX_LATEST_PARCELS, ...(underway && { status: [...UNDERWAY] }) }
  try {
    return (await client.call('list_shipments', filters)).value.data
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return []
    throw error
  }
}

/**
 * Returns the tracking number of the chosen parcel; undefined where nothing can be asked, or there is none. `underway`
 * omits those that have ended.
 */
export async function chooseParcel(cli: CommandContext, underway: boolean): Promise<string | undefined> {
  const ask = await cli.ask()
  if (ask === undefined) return undefined
  const data = await listLatest(await cli.client(), underway)
  if (data.length === 0) return undefined
  const chosen = await ask.select({
    message: 'Which parcel?',
    choices: data.map(({ tracking_number, reference, recipient, status }) => ({
      value: tracking_number,
      name: [tracking_number, ...(reference === null ? [] : [reference]), recipient.contact.name].join(', '),
      description: `${stateWords(status)}, to ${recipient.address.postal_code} ${recipient.address.city}`,
    })),
  })
  cli.answered.push({ flag: chosen })
  return chosen
}
