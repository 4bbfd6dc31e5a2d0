/** A store on this machine whose orders tests place and move on, and the commands that print its tickets. */
import { expect } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { OperationOutput } from '../../src/client/operations.ts'
import { businessTickets } from '../../src/commands/business/tickets.command.ts'
import { embeddedIn } from './embedded-client.ts'
import { type Home, makeHome } from './home.ts'
import { type InlineCommandResult, runCommand } from './run-command.ts'
import { FROZEN } from './sandbox-commands.ts'

type StoreOrder = OperationOutput<'get_business_order'>
type Wish = { items?: Readonly<Record<string, number>>; fulfillment?: 'pickup' | 'delivery'; notes?: string }

export type KitchenStore = {
  home: Home
  client: Client
  /** Places an order and accepts it. */
  accept(wish?: Wish): Promise<StoreOrder>
  place(wish?: Wish): Promise<StoreOrder>
  /** Makes a change of the store. */
  change<N extends Parameters<Client['call']>[0]>(operation: N, input: object): Promise<void>
  /** Prints what is due now. Returns the lines that the command printed. */
  printOnce(...argv: string[]): Promise<InlineCommandResult>
  [Symbol.asyncDispose](): Promise<void>
}

const DROPOFF = {
  address: { line1: '14 Lamb Street', city: 'London', postal_code: 'E1 6EA', country_code: 'GB' },
  location: { latitude: 51.5196, longitude: -0.0755 },
}

/** Opens a new store with a frozen clock: a Friday in London, nine in the morning. */
export async function openKitchenStore(): Promise<KitchenStore> {
  const home = makeHome(FROZEN)
  const open = embeddedIn(home)
  const client = await open({
    kind: 'embedded',
    store: `${home.paths.data}/default/dray.db`,
    account: 'everything',
  } as never)
  const menu = (await client.call('list_catalog_items', { limit: 100 })).value.data
  let keys = 0
  const send = async (operation: string, input: object) =>
    (
      await client.call(operation as 'accept_business_order', input as never, {
        idempotencyKey: `kitchen-${++keys}`,
      })
    ).value
  const place: KitchenStore['place'] = async ({
    items = { Focaccia: 2 },
    fulfillment = 'pickup',
    notes,
  } = {}) => {
    const chosen = Object.entries(items).map(([name, quantity]) => {
      const found = menu.find((each) => each.name === name)
      if (found === undefined)
        throw new Error(`the store sells no ${name}: ${menu.map((each) => each.name).join(', ')}`)
      return { item_id: found.item_id, quantity }
    })
    const { value: quote } = await client.call('quote_food_order', {
      merchant_id: menu[0]?.merchant_id ?? '',
      fulfillment_type: fulfillment,
      items: chosen,
      ...(fulfillment === 'delivery' && { dropoff: DROPOFF }),
    } as never)
    const placed = (await send('place_food_order', {
      quote_id: (quote as { quote_id: string }).quote_id,
      payment: { method: 'card', payment_token: 'tok_ok' },
      ...(notes !== undefined && { notes }),
    })) as { order_id: string }
    return (await client.call('get_business_order', { order_id: placed.order_id })).value
  }
  return {
    home,
    client,
    place,
    async accept(wish) {
      const { order_id } = await place(wish)
      return (await send('accept_business_order', { order_id })) as StoreOrder
    },
    change: async (operation, input) => void (await send(operation, input)),
    async printOnce(...argv) {
      return runCommand(home, businessTickets, ['--once', ...argv], { openClient: open })
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      home[Symbol.dispose]()
    },
  }
}

/** Expects that a command succeeded. Returns the lines that it printed. */
export function expectPrinted({ code, err, error, out }: InlineCommandResult): string[] {
  expect({ code, err, error: error?.message }).toEqual({ code: 0, err: '', error: undefined })
  return out.split('\n').filter((line) => line !== '')
}
