/** The list of parcels with the names of those that are late. */
import { daysLateNow } from '../../areas/carrier/rules/lateness.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import type { Client } from '../../client/client.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { localDate } from '../../core/time.ts'
import { spec } from '../../generated/specs/list_shipments.ts'
import { runOperation } from '../operation.ts'
import type { Parcel } from './bulk/parcels.ts'

/** Lists the parcels that fit filters, and says which of them are late. */
export async function listMarked(cli: CommandContext, filters: Args): Promise<number> {
  const late: string[] = []
  const client = async (): Promise<Client> => {
    const own = await cli.client()
    return {
      ...own,
      async call(...given) {
        const answer = await own.call(...given)
        if (given[0] === 'list_shipments')
          late.push(
            ...lateOf((answer.value as { data?: Partial<Parcel>[] }).data ?? [], answer.serviceTime.now),
          )
        return answer
      },
    }
  }
  const code = await runOperation({ ...cli, client, spec }, filters)
  const more = late.length > SHOWN ? ` and ${late.length - SHOWN} more` : ''
  if (late.length > 0) await cli.say(`Late: ${late.slice(0, SHOWN).join(', ')}${more}.`)
  return code
}

/** The late parcels that are named below a list. */
const SHOWN = 10

/** `A-1001 (2 days)` of each parcel that is late; a row without the fields that say so is none. */
function lateOf(parcels: readonly Partial<Parcel>[], now: number): string[] {
  return parcels.flatMap(({ status, promised_date, estimated_delivery_date, reference, tracking_number }) => {
    if (status === undefined || estimated_delivery_date === undefined) return []
    const promised = { status, promised_date, estimated_delivery_date }
    const days = daysLateNow(promised, localDate(now, MARKET_TIMEZONE))
    const spelled = days === 1 ? '1 day' : `${days} days`
    return days === 0 ? [] : [`${reference ?? tracking_number} (${spelled})`]
  })
}
