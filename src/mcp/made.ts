/** The things that an earlier call has made or changed, as they are now. */
import type { CallResult, Client } from '../client/client.ts'
import { findOwnItem, listOwnItems } from '../client/list-store-items.ts'
import { AppError, ERRORS } from '../core/errors.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { ToolCall } from './guard-types.ts'

type Row = Readonly<Record<string, unknown>>

/** The thing as it is now: its fields, `gone` once it was cancelled or deleted, undefined where it may not be read. */
type Now = Row | 'gone' | undefined

/** How the things are seen that no read shows as the call answered with them. */
const LOOKS: Readonly<Record<string, (client: Client, first: Row, input: Row) => Promise<Now>>> = {
  create_shipments_batch: async (client, _, input) => {
    const priced = await read(client, 'create_shipments_batch', { ...input, price_only: true })
    return (priced['counts'] as { created: number }).created > 0 ? 'gone' : undefined
  },
  import_catalog_items: async (client, first) => {
    const own = new Set((await listOwnItems(client)).map(({ item_id }) => item_id))
    const made = (first['results'] as readonly Row[]).filter(({ result }) => result === 'created')
    return made.every(({ item_id }) => own.has(String(item_id))) ? undefined : 'gone'
  },
  create_return: async (client, first) => {
    const { status } = await read(client, 'get_shipment', { tracking_number: first['tracking_number'] })
    return status === 'cancelled' ? 'gone' : first
  },
  create_claim: async (client, first) => {
    const { claims } = await read(client, 'get_shipment', { tracking_number: first['tracking_number'] })
    return (claims as readonly Row[] | undefined)?.find(({ claim_id }) => claim_id === first['claim_id'])
  },
  create_catalog_item: async (client, first) =>
    (await findOwnItem(client, String(first['item_id']))) ?? 'gone',
  create_webhook_endpoint: endpointNow,
  rotate_webhook_secret: endpointNow,
}

/** The secret is shown once; the rest is as it is now. */
async function endpointNow(client: Client, first: Row): Promise<Now> {
  return { ...first, ...(await read(client, 'get_webhook_endpoint', { endpoint_id: first['endpoint_id'] })) }
}

/**
 * Returns the response of a call that was carried out before with the thing as it is now; `gone` for a call that makes a thing
 * which was cancelled or deleted since, so that the same call makes another; the first response if it may not be read.
 */
export async function answerNow(
  client: Client,
  { tool: { name, look, repetition }, input }: Pick<ToolCall, 'tool' | 'input'>,
  first: CallResult,
): Promise<CallResult | 'gone'> {
  const value = first.value as Row
  const found = await readIfAllowed(() =>
    look === undefined
      ? LOOKS[name]?.(client, value, input)
      : read(client, look.tool, { [look.by]: value[look.by] }),
  )
  if (found === undefined) return first
  if (found === 'gone' || isCancelled(name, found)) {
    if (repetition === 'makes') return 'gone'
    return found === 'gone' ? first : { ...first, value: found, isNow: true }
  }
  return { ...first, value: found, isNow: true }
}

/** Returns whether the service does not know what a call made: its world was replaced since, and the call is a new one there. */
export async function isMadeElsewhere(client: Client, operation: string, made: string): Promise<boolean> {
  const resource = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  const { show, id } = resource ?? {}
  if (show === undefined || id === undefined) return false
  return (await readIfAllowed(() => read(client, show, { [id]: made }))) === 'gone'
}

/** Returns whether a resource was cancelled, for the call that creates it. */
function isCancelled(operation: string, { status }: Row): boolean {
  const resource = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  return resource?.life !== undefined && status === resource.life.cancelled
}

async function read(client: Client, operation: string, input: Row): Promise<Row> {
  return (await client.call(operation, input)).value as Row
}

/** Returns what is seen; undefined where it cannot be: the call was carried out, so that is no failure of it. */
async function readIfAllowed(look: () => Promise<Now> | undefined): Promise<Now> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return ERRORS[error.code].status === 404 ? 'gone' : undefined
  }
}
