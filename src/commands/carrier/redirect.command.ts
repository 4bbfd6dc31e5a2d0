import { canRedirect } from '../../areas/carrier/states.ts'
import type { Cli } from '../../cli/cli.ts'
import { confirmYes } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/redirect_shipment.ts'
import { findHub, listHubs } from './hubs.ts'
import { type Deed, openParcels } from './set/act.ts'
import { changeAnswer, changeParcels } from './set/change.ts'
import { findSet, SET_FLAGS } from './set/choose.ts'
import { PARCELS } from './set/flags.ts'
import type { Parcel } from './set/parcels.ts'
import { countParcels, namesOf } from './set/question.ts'

const BODY_FLAGS = fields(spec, {
  date: 'date',
  'safe-place': 'safe_place',
  neighbour: 'neighbour',
  hub: 'hub_id',
})

type Body = Partial<Record<'date' | 'safe_place' | 'neighbour' | 'hub_id', string>>

/** `dray carrier redirect PARCEL...`: one parcel, or a set of them after one question. */
export const carrierRedirect = defineCommand({
  words: 'carrier redirect',
  summary: 'Deliver parcels on another day, or elsewhere',
  description: `${spec.description} Several parcels, those of an upload or those in a state take one question with their number; --yes answers it. Each has its own result, and exit 9 says that only some were redirected.`,
  danger: 'write',
  takes: ['dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [PARCELS],
  flags: [...BODY_FLAGS, ...SET_FLAGS],
  answer: changeAnswer('redirect_shipment'),
  examples: [
    ...spec.examples,
    'dray carrier redirect A-1001 A-1002 --date 2026-11-27 --yes',
    'dray carrier redirect --manifest manifest.results.csv --hub LON1',
  ],
  run: (cli, args) =>
    changeParcels(cli, spec, args, async () => {
      const typed = (await readFields(cli, BODY_FLAGS, args)) as Body
      const body = await readBody(cli, typed)
      const deed: Deed = {
        operation: 'redirect_shipment',
        body,
        done: 'redirected',
        isDone: (parcel) => isRedirected(parcel, body),
      }
      const set = await findSet(cli, args)
      const agree = () => confirm(cli, openParcels(set, deed).filter(canRedirect), typed)
      return { set, deed, agree }
    }),
})

/** Returns the body with the id of its hub. Throws AppError('usage' | 'hub_not_found') before anybody is asked. */
async function readBody(cli: Cli, body: Body): Promise<Body> {
  if (Object.keys(body).length !== 1)
    throw new AppError('usage', 'Give exactly one of --date, --safe-place, --neighbour and --hub.')
  if (body.hub_id === undefined) return body
  const client = await cli.client()
  return { hub_id: (await findHub(client, body.hub_id, await listHubs(client, true))).hub_id }
}

/** A parcel that was redirected so before: a retry adds nothing to its events. */
function isRedirected({ options }: Parcel, { date, safe_place, neighbour, hub_id }: Body): boolean {
  return date !== undefined
    ? options.not_before_date === date
    : safe_place !== undefined
      ? options.leave_safe_place === safe_place
      : neighbour !== undefined
        ? options.neighbour === neighbour
        : options.pickup_hub_id === hub_id
}

/** Asks once for all; a set in which nothing can be redirected needs no question before it is refused. */
async function confirm(cli: Cli, parcels: readonly Parcel[], typed: Body): Promise<void> {
  if (parcels.length === 0) return
  const [way = '', value] = Object.entries(typed)[0] ?? []
  const question = `Redirect ${countParcels(parcels.length)}: ${namesOf(parcels)}. New ${way.replace('_id', '').replace('_', ' ')}: ${JSON.stringify(value)}. The price stays.`
  await confirmYes(cli, question)
}
