import { canRedirect } from '../../areas/carrier/states.ts'
import { askValues, assertComplete } from '../../cli/ask-values.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { confirmYes } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { requirePrompts } from '../../cli/questions.ts'
import { AppError } from '../../core/errors.ts'
import { spec } from '../../generated/specs/redirect_shipment.ts'
import { type BulkAction, listParcelsToChange } from './bulk/act.ts'
import { makeChangeResultFields, changeParcels } from './bulk/change.ts'
import { type ParcelSetArgs, loadParcelSet, isParcelSet, PARCEL_SET_FLAGS } from './bulk/choose.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import type { Parcel } from './bulk/parcels.ts'
import { formatParcelCount, namesOf } from './bulk/question.ts'
import { resolveHub, loadHubs } from './hubs.ts'

const BODY_FLAGS = pickOperationFlags(spec, {
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
  positionals: [PARCELS_ARGUMENT],
  flags: [...BODY_FLAGS, ...PARCEL_SET_FLAGS],
  answer: makeChangeResultFields('redirect_shipment'),
  examples: [
    ...spec.examples,
    'dray carrier redirect A-1001 A-1002 --date 2026-11-27 --yes',
    'dray carrier redirect --manifest manifest.results.csv --hub LON1',
  ],
  run: async (cli, typedArgs) => {
    const args = await withWay(cli, typedArgs)
    return changeParcels(cli, spec, args, async () => {
      const typed = (await readInputFromFlags(cli, BODY_FLAGS, args)) as Body
      const body = await readBody(cli, typed)
      const deed: BulkAction = {
        operation: 'redirect_shipment',
        body,
        done: 'redirected',
        isDone: (parcel) => isRedirected(parcel, body),
      }
      const set = await loadParcelSet(cli, args)
      const agree = () => confirm(cli, listParcelsToChange(set, deed).filter(canRedirect), typed)
      return { set, deed, agree }
    })
  },
})

/** The ways to redirect, by their flags, as questions. */
const WAYS = {
  date: 'Another day, such as 2026-11-27',
  'safe-place': 'Safe place at the address',
  neighbour: 'Neighbour: name and house',
  hub: 'Hub where the recipient collects it, by code',
} as const

type Way = keyof typeof WAYS

const WAY = {
  flag: '--date',
  value: '2026-11-27',
  description: 'one of --date, --safe-place, --neighbour and --hub',
}

/** Asks a person for the way and its value where none was typed. Throws AppError('usage') for a script. */
async function withWay<A extends ParcelSetArgs & { [W in Way]?: string | undefined }>(
  cli: CommandContext,
  args: A,
): Promise<A> {
  const ways = Object.keys(WAYS) as Way[]
  if (ways.some((way) => args[way] !== undefined)) return args
  const lacksParcel = (args.parcel ?? []).length === 0 && !isParcelSet(args)
  await assertComplete(cli, [
    ...(lacksParcel ? [{ flag: 'PARCEL', description: PARCELS_ARGUMENT.description }] : []),
    WAY,
  ])
  const ask = await requirePrompts(cli)
  const way = await ask.select({
    message: 'Redirect how?',
    choices: ways.map((value) => ({ value, name: WAYS[value].split(/[,:]/, 1)[0] ?? value })),
  })
  const { [way]: value = '' } = await askValues(cli, [{ key: way, flag: `--${way}`, description: WAYS[way] }])
  return { ...args, [way]: value }
}

/** Returns the body with the id of its hub. Throws AppError('usage' | 'hub_not_found') before any prompt. */
async function readBody(cli: CommandContext, body: Body): Promise<Body> {
  if (Object.keys(body).length !== 1)
    throw new AppError('usage', 'Give exactly one of --date, --safe-place, --neighbour and --hub.')
  if (body.hub_id === undefined) return body
  const client = await cli.client()
  return { hub_id: (await resolveHub(client, body.hub_id, await loadHubs(client, true))).hub_id }
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

/** Asks once for all; a set in which nothing can be redirected needs no question before it is rejected. */
async function confirm(cli: CommandContext, parcels: readonly Parcel[], typed: Body): Promise<void> {
  if (parcels.length === 0) return
  const [way = '', value] = Object.entries(typed)[0] ?? []
  const question = `Redirect ${formatParcelCount(parcels.length)}: ${namesOf(parcels)}. New ${way.replace('_id', '').replace('_', ' ')}: ${JSON.stringify(value)}. The price stays.`
  await confirmYes(cli, question)
}
