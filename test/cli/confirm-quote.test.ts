import { describe, expect, test } from 'vitest'
import { ConfirmationDeclined } from '../../src/cli/declined.ts'
import { foodOrder } from '../../src/commands/food/order.command.ts'
import { foodQuote } from '../../src/commands/food/quote.command.ts'
import { pendingList } from '../../src/commands/pending/list.command.ts'
import { pendingResolve } from '../../src/commands/pending/resolve.command.ts'
import { recent } from '../../src/commands/recent.command.ts'
import { sandboxClockAdvance } from '../../src/commands/sandbox/clock-advance.command.ts'
import { AppError } from '../../src/core/errors.ts'
import { loadOperation } from '../../src/generated/commands.ts'
import { embeddedIn, embeddedThrough } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo, type MemoryIo } from '../support/memory-io.ts'
import { type InlineCommandResult, runCommand } from '../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }
const list = await loadOperation('list_food_orders')
const update = await loadOperation('update_catalog_item')
const catalog = await loadOperation('list_catalog_items')

const PIZZA = ['Forno Santa Rosa', '--item', 'Margherita', '--fulfillment', 'pickup']

type Call = { operation: string; input: Readonly<Record<string, unknown>> }

/** Opens the service of this home; with `lost`, responses to orders never arrive. */
function service(home: Home, calls: Call[] = [], lost = false) {
  return embeddedThrough(home, (call) => async (operation, input, options) => {
    calls.push({ operation, input })
    const answer = await call(operation, input, options)
    if (lost && operation === 'place_food_order') throw new AppError('network_error', 'Cut off.')
    return answer
  })
}

const order = (home: Home, argv: readonly string[], calls: Call[] = []): Promise<InlineCommandResult> =>
  runCommand(home, foodOrder, argv, { openClient: service(home, calls) })
const quote = async (home: Home, argv: readonly string[] = PIZZA) =>
  (await runCommand(home, foodQuote, [...argv, '--json'], { openClient: service(home) })).json() as {
    quote_id: string
    total: { amount: number }
  }
const orders = async (home: Home): Promise<{ total: { amount: number } }[]> =>
  (
    (await runCommand(home, list, ['--json'], { openClient: service(home) })).json() as {
      data: { total: { amount: number } }[]
    }
  ).data
const advance = (home: Home, by: string) =>
  runCommand(home, sandboxClockAdvance, [by], { openClient: service(home) })

/** Changes the price of the pizza. */
async function reprice(home: Home, price: string): Promise<void> {
  const { data } = (
    await runCommand(home, catalog, ['--json', '--all'], { openClient: service(home) })
  ).json() as { data: { item_id: string; name: string }[] }
  const id = data.find(({ name }) => name === 'Margherita')?.item_id ?? ''
  expect(
    (await runCommand(home, update, [id, '--price', price], { openClient: service(home) })).error,
  ).toBeUndefined()
}

describe('a script', () => {
  test('buys below its limit, and pays what was quoted', async () => {
    using home = makeHome(FROZEN)
    const ran = await order(home, [...PIZZA, '--yes', '--max-total', '11.20', '--json'])
    expect(ran.json()).toMatchObject({
      status: 'placed',
      total: { amount: 1120, currency: 'GBP' },
      payment: { method: 'card', status: 'paid' },
    })
    const { data } = (await runCommand(home, recent, ['--json'], { openClient: service(home) })).json() as {
      data: unknown[]
    }
    expect(data).toMatchObject([{ operation: 'place_food_order', total: { amount: 1120 }, status: 'placed' }])
  })

  test('above its limit buys nothing, and reports both figures', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    for (const limit of ['11.19', '£11', '10 GBP']) {
      const { error } = await order(home, [...PIZZA, '--yes', '--max-total', limit], calls)
      expect(error).toMatchObject({ code: 'price_above_limit', exitCode: 7 })
      expect(error?.message).toMatch(
        /^The price is £11\.20, above the limit of £1[01]\.\d\d\. Nothing was bought\.$/,
      )
    }
    expect(calls.map(({ operation }) => operation)).not.toContain('place_food_order')
    expect((await order(home, [...PIZZA, '--yes', '--max-total', '100 EUR'])).error?.exitCode).toBe(7)
    expect((await order(home, [...PIZZA, '--yes', '--max-total', 'much'])).error?.exitCode).toBe(2)
    expect(await orders(home)).toEqual([])
  })

  test('may set the limit in the environment', async () => {
    using home = makeHome({ ...FROZEN, DRAY_MAX_TOTAL: '5.00' })
    expect((await order(home, [...PIZZA, '--yes'])).error?.code).toBe('price_above_limit')
  })

  test('needs a yes, and with it a quote or a limit, before anything is sent', async () => {
    using home = makeHome(FROZEN)
    const calls: Call[] = []
    const no = await order(home, PIZZA, calls)
    expect(no.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(no.error?.hint).toBe(
      "Confirm it with --yes and --max-total: dray food order 'Forno Santa Rosa' --item Margherita --fulfillment pickup --yes --max-total 25.00",
    )
    const any = await order(home, [...PIZZA, '--yes'], calls)
    expect(any.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(any.error?.message).toContain('--yes needs a --quote-id or a --max-total')
    // The menu is read, because an unknown dish is told first.
    expect(calls.map(({ operation }) => operation)).not.toContain('quote_food_order')
  })

  test('gets all missing flags at once', async () => {
    using home = makeHome(FROZEN)
    const { error } = await order(home, ['--yes', '--max-total', '20'])
    expect(error).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(error?.message).toBe('Missing: MERCHANT, --item, --fulfillment.')
    const bare = await order(home, [])
    expect(bare.error).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(bare.error?.message).toBe('Missing: MERCHANT, --item, --fulfillment, --yes, --max-total.')
    const delivered = await order(home, ['Forno', '--item', 'Margherita', '--fulfillment', 'delivery'])
    expect(delivered.error?.message).toBe('Missing: --to, --yes, --max-total.')
  })

  test('buys a quote by its id', async () => {
    using home = makeHome(FROZEN)
    const quoted = await quote(home)
    const calls: Call[] = []
    const ran = await order(home, ['--quote-id', quoted.quote_id, '--yes', '--json'], calls)
    expect(ran.json()).toMatchObject({ quote_id: quoted.quote_id, total: quoted.total })
    expect(calls.map(({ operation }) => operation)).toEqual(['place_food_order'])
    // The customer agrees to the price that was shown.
    expect(calls[0]?.input).toMatchObject({ expected_total: quoted.total })
  })

  test('checks a quote against its limit too', async () => {
    using home = makeHome(FROZEN)
    const { quote_id: id } = await quote(home)
    const { error } = await order(home, ['--quote-id', id, '--yes', '--max-total', '5'])
    expect(error?.code).toBe('price_above_limit')
    const unknown = await order(home, [
      '--quote-id',
      'quo_01m7vkystge8kbcf2tpy8vep2a',
      '--yes',
      '--max-total',
      '5',
    ])
    expect(unknown.error?.message).toContain('does not know the price of')
    expect(await orders(home)).toEqual([])
  })

  test('with another price than it expects buys nothing', async () => {
    using home = makeHome(FROZEN)
    const { error } = await order(home, [...PIZZA, '--yes', '--max-total', '50', '--expected-total', '10.15'])
    expect(error).toMatchObject({ code: 'quote_mismatch', exitCode: 7 })
    expect(error?.message).toBe('The price is £11.20, not £10.15. Nothing was bought.')
    expect(error?.hint).toBe('See it with `dray food quote`, or give --expected-total 11.20.')
    expect(error?.extra).toMatchObject({ expected_total: { amount: 1015 }, current_total: { amount: 1120 } })
    // The service rejects it, because the client cannot know.
    const { quote_id: id } = await quote(home)
    await runCommand(home, pendingList, [])
    using elsewhere = makeHome(FROZEN)
    const other = await runCommand(
      elsewhere,
      foodOrder,
      [
        '--quote-id',
        id,
        '--yes',
        '--expected-total',
        '10.15',
        '--store',
        `${home.paths.data}/default/dray.db`,
      ],
      { openClient: embeddedIn(home) },
    )
    expect(other.error).toMatchObject({ code: 'quote_mismatch', exitCode: 7 })
    expect(await orders(home)).toEqual([])
  })

  test('--dry-run shows a person the price as the order would', async () => {
    using home = makeHome(FROZEN)
    const { out, err } = await runCommand(home, foodOrder, [...PIZZA, '--dry-run'], {
      openClient: service(home),
      io: memoryIo({ tty: { stdout: true }, columns: 80, env: { NO_COLOR: '1' } }),
    })
    expect(out).toMatch(/^Order from Forno Santa Rosa\n.*\n\n1 × Margherita +£/)
    expect(err).toBe('Dry run: nothing was bought.\n')
  })

  test('a person is told what happens next, and how to play the store', async () => {
    using home = makeHome(FROZEN)
    const buy = (merchant: readonly string[]) =>
      runCommand(home, foodOrder, [...merchant, '--yes', '--max-total', '40'], {
        openClient: service(home),
        io: memoryIo({ tty: { stdout: true }, columns: 80, env: { NO_COLOR: '1' } }),
      })
    const owned = await buy(PIZZA)
    expect(owned.err).toContain(
      'Next: the store accepts it. Its owner has 10 minutes; if the owner is away, the staff accept in 2 to 4 minutes.',
    )
    expect(owned.err).toContain('To act as the owner: `dray business orders watch --as everything`')
    const unowned = await buy(['Owl & Ember Burgers', '--item', 'Slaw', '--fulfillment', 'pickup'])
    expect(unowned.err).toContain('Next: the store accepts it within minutes.')
    expect(unowned.err).not.toContain('To act as the owner')
  })

  test('--dry-run prices and buys nothing', async () => {
    using home = makeHome(FROZEN)
    const ran = await order(home, [...PIZZA, '--dry-run', '--json'])
    expect(ran.json()).toMatchObject({ kind: 'food', total: { amount: 1120 } })
    expect(ran.err).toContain('Dry run: nothing was bought.')
    expect(await orders(home)).toEqual([])
  })
})

describe('a quote', () => {
  test('that has expired is not bought; the new price is shown and can be bought', async () => {
    using home = makeHome(FROZEN)
    const { quote_id: id } = await quote(home)
    await advance(home, '15m')
    await reprice(home, '11.50')
    const late = await order(home, ['--quote-id', id, '--yes'])
    expect(late.error).toMatchObject({ code: 'quote_expired', exitCode: 7 })
    expect(late.error?.message).toBe(
      'The quote of £11.20 has expired. Nothing was bought. The price is £12.10 now.',
    )
    expect(late.error?.extra).toMatchObject({
      quoted_total: { amount: 1120 },
      current_total: { amount: 1210 },
    })
    expect(await orders(home)).toEqual([])
    const next = /--quote-id (quo_\w+)\.$/.exec(late.error?.hint ?? '')?.[1] ?? ''
    expect((await order(home, ['--quote-id', next, '--yes'])).code).toBe(0)
    expect(await orders(home)).toMatchObject([{ total: { amount: 1210 } }])
  })

  test('that expires at a terminal is asked about again, with the old price and the new one', async () => {
    using home = makeHome(FROZEN)
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100, env: { NO_COLOR: '1' } })
    const running = runCommand(home, foodOrder, [...PIZZA, '--accessible'], {
      openClient: service(home),
      io,
    })
    await expect.poll(() => io.asked()).toContain('Place this order for £11.20 with')
    await advance(home, '15m')
    await reprice(home, '11.50')
    io.type('y\n')
    await expect.poll(() => io.asked()).toContain('Place this order for £12.10 (it was £11.20) with')
    expect(io.err()).toContain('The quote of £11.20 has expired. Nothing was bought.')
    expect(await orders(home)).toEqual([])
    io.type('y\n')
    expect((await running).code).toBe(0)
    expect(await orders(home)).toMatchObject([{ total: { amount: 1210 } }])
  })

  test('keeps its price although the menu has another by now', async () => {
    using home = makeHome(FROZEN)
    const { quote_id: id } = await quote(home)
    await reprice(home, '15.00')
    await order(home, ['--quote-id', id, '--yes'])
    expect(await orders(home)).toMatchObject([{ total: { amount: 1120 } }])
  })

  test('is bought once: the second attempt names the order', async () => {
    using home = makeHome(FROZEN)
    const { quote_id: id } = await quote(home)
    const first = (await order(home, ['--quote-id', id, '--yes', '--json'])).json() as { order_id: string }
    const second = await order(home, ['--quote-id', id, '--yes'])
    expect(second.error).toMatchObject({ code: 'quote_already_used', exitCode: 7 })
    expect(second.error?.extra).toMatchObject({ order_id: first.order_id })
    expect(await orders(home)).toHaveLength(1)
  })

  test('with a store or items beside it is a contradiction', async () => {
    using home = makeHome(FROZEN)
    const { error } = await order(home, ['Forno', '--quote-id', 'quo_01m7vkystge8kbcf2tpy8vep2a', '--yes'])
    expect(error?.exitCode).toBe(2)
  })
})

describe('an order that was cut off', () => {
  const lose = (home: Home, argv: readonly string[]) =>
    runCommand(home, foodOrder, argv, { openClient: service(home, [], true) })

  test('is resumed by the same command, before anything is quoted', async () => {
    using home = makeHome(FROZEN)
    const command = [...PIZZA, '--yes', '--max-total', '20', '--json']
    expect((await lose(home, command)).code).toBe(11)
    await reprice(home, '14.00')
    const calls: Call[] = []
    const again = await order(home, command, calls)
    expect(again.err).toMatch(/^Resuming the call of \d\d:00, £11\.20\.\n$/)
    expect(calls.map(({ operation }) => operation)).toEqual(['place_food_order', 'get_food_order'])
    expect(again.json()).toMatchObject({ total: { amount: 1120 } })
    expect(await orders(home)).toHaveLength(1)
  })

  test('is resumed despite another limit or a missing --yes, because it was confirmed before', async () => {
    using home = makeHome(FROZEN)
    await lose(home, [...PIZZA, '--yes', '--max-total', '20'])
    expect((await order(home, PIZZA)).err).toContain('Resuming')
    expect(await orders(home)).toHaveLength(1)
  })

  test('is another order with --new', async () => {
    using home = makeHome(FROZEN)
    const command = [...PIZZA, '--yes', '--max-total', '20']
    await lose(home, command)
    expect((await order(home, [...command, '--new'])).err).not.toContain('Resuming')
    expect(await orders(home)).toHaveLength(2)
  })

  test('is shown as it is now, and refused with its status once it has ended', async () => {
    using home = makeHome(FROZEN)
    const command = [...PIZZA, '--yes', '--max-total', '20', '--json']
    await lose(home, command)
    await advance(home, '6m')
    expect((await order(home, command)).json()).toMatchObject({ status: 'preparing' })

    await lose(home, command)
    await advance(home, '3h')
    expect((await order(home, command)).error).toMatchObject({
      code: 'quote_already_used',
      exitCode: 7,
      extra: { current_status: 'completed' },
    })
    await lose(home, command)
    await advance(home, '3h')
    expect((await order(home, [...command, '--wait'])).json()).toMatchObject({ status: 'completed' })
    expect(await orders(home)).toHaveLength(3)
  })

  test('of yesterday is found by its quote', async () => {
    using home = makeHome(FROZEN)
    await lose(home, [...PIZZA, '--yes', '--max-total', '20'])
    await advance(home, '24h')
    const late = await order(home, [...PIZZA, '--yes', '--max-total', '20'])
    expect(late.error).toMatchObject({ code: 'call_unresolved', exitCode: 7 })
    const told = await runCommand(home, pendingResolve, ['--json'], { openClient: service(home) })
    expect(told.json()).toMatchObject({
      outcome: 'done',
      resource_id: expect.stringMatching(/^ord_/) as string,
      total: { amount: 1120 },
    })
    expect((await runCommand(home, pendingList, ['--json'])).json()).toMatchObject({ data: [] })
    expect(await orders(home)).toHaveLength(1)
  })
})

describe('an order with a key of its own', () => {
  const KEYED = [...PIZZA, '--idempotency-key', 'lunch', '--json']
  const AGREED = ['--yes', '--max-total', '20']

  test('is the first one when it is typed again, and nothing is asked or priced', async () => {
    using home = makeHome(FROZEN)
    const first = await order(home, [...KEYED, ...AGREED])
    await reprice(home, '14.00')
    await advance(home, '23h')
    const calls: Call[] = []
    const again = await order(home, [...KEYED, '--max-total', '5'], calls)
    expect(again.out).toBe(first.out)
    expect(calls.map(({ operation }) => operation)).toEqual(['place_food_order'])
    expect(await orders(home)).toHaveLength(1)
    const fewer = await order(home, ['Forno Santa Rosa', ...KEYED.slice(3), '--item', 'Tiramisù', ...AGREED])
    expect(fewer.error?.code).toBe('idempotency_key_reused')
  })

  test('that was refused for good is refused again', async () => {
    using home = makeHome(FROZEN)
    const declined = [...KEYED, ...AGREED, '--payment-token', 'tok_declined']
    const { error } = await order(home, declined)
    expect(error?.code).toBe('payment_declined')
    expect((await order(home, declined)).error).toMatchObject({
      code: 'payment_declined',
      message: error?.message,
    })
    expect(await orders(home)).toEqual([])
  })

  test('is another one a day later, and in another world', async () => {
    using home = makeHome(FROZEN)
    const first = (await order(home, [...KEYED, ...AGREED])).out
    await advance(home, '24h')
    const second = (await order(home, [...KEYED, ...AGREED])).out
    expect(second).not.toBe(first)
    expect(await orders(home)).toHaveLength(2)
    const third = await runCommand(home, foodOrder, [...KEYED, ...AGREED], {
      // Somebody else resets the sandbox: this machine does not hear of it.
      async openClient(target) {
        const client = await service(home)(target)
        await client.control('reset', { seed: '7', at: '2026-11-20T11:00:00Z' })
        return client
      },
    })
    expect(third.error).toBeUndefined()
    expect(third.out).not.toBe(second)
    expect(await orders(home)).toHaveLength(1)
  })
})

describe('the question', () => {
  const asked = (home: Home, argv: readonly string[], io: MemoryIo) =>
    runCommand(home, foodOrder, argv, { io, openClient: service(home) })
  const terminal = () => memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })

  test('says what it costs and how it is paid; Enter is no', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, [...PIZZA, '--accessible'], io)
    await expect.poll(() => io.asked()).toContain('Place this order for £11.20 with the test card tok_ok?')
    expect(io.asked()).toContain('This price is valid for 15:00 minutes (yes or no, Enter for no):')
    expect(io.err()).toContain('Total: £11.20')
    io.type('\n')
    const { error } = await running
    expect(error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(error).toBeInstanceOf(ConfirmationDeclined)
    expect(error?.hint).toMatch(
      /^This price is valid for 15:00 minutes:\n {2}dray food order --quote-id quo_\w+$/,
    )
    expect(await orders(home)).toEqual([])
  })

  test('answered with no keeps all that the quote does not hold in the command that still buys', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const words = [
      '--notes',
      'No nuts; ring twice',
      '--name',
      'Ana Reid',
      '--pay',
      'wallet',
      '--max-total',
      '30',
    ]
    const running = asked(home, [...PIZZA, ...words], io)
    await expect.poll(() => io.asked()).toContain('Place this order for £11.20')
    io.type('n\r')
    const { error } = await running
    expect(error?.hint?.split('\n')[1]).toMatch(
      /^ {2}dray food order --quote-id quo_\w+ --max-total 30 --pay wallet --name 'Ana Reid' --notes 'No nuts; ring twice'$/,
    )
    const [, quoteId = ''] = / (quo_\w+) /.exec(error?.hint ?? '') ?? []
    const bought = await order(home, ['--quote-id', quoteId, ...words, '--yes', '--json'])
    expect(bought.json()).toMatchObject({ notes: 'No nuts; ring twice', payment: { method: 'wallet' } })
  })

  test('answered with yes buys exactly that', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    const running = asked(home, [...PIZZA, '--pay', 'wallet'], io)
    await expect.poll(() => io.asked()).toContain('Place this order for £11.20 from your wallet?')
    expect(io.asked()).toContain('15:00 left')
    io.type('y\r')
    expect((await running).code).toBe(0)
    expect(await orders(home)).toMatchObject([{ total: { amount: 1120 } }])
  })

  test('is not asked for a price above the limit', async () => {
    using home = makeHome(FROZEN)
    const io = terminal()
    expect((await asked(home, [...PIZZA, '--max-total', '5'], io)).error?.code).toBe('price_above_limit')
    expect(io.asked()).toBe('')
  })
})

describe('how it is paid', () => {
  const buyWith = async (home: Home, ...argv: string[]) =>
    (await order(home, [...PIZZA, '--yes', '--max-total', '20', '--json', ...argv])).json() as {
      payment: { method: string; status: string }
    }

  test('is set by a flag, a token or the profile', async () => {
    using home = makeHome(FROZEN)
    expect(await buyWith(home, '--pay', 'wallet')).toMatchObject({
      payment: { method: 'wallet', status: 'paid' },
    })
    expect(await buyWith(home, '--payment-token', 'tok_pending')).toMatchObject({
      payment: { method: 'card', status: 'unpaid' },
    })
    home.writeConfig({ profiles: { default: { pay: 'cash' } } })
    expect(await buyWith(home)).toMatchObject({ payment: { method: 'cash', status: 'unpaid' } })
    expect(await buyWith(home, '--payment-token', 'tok_ok')).toMatchObject({ payment: { method: 'card' } })
  })

  test('cannot be two things at once', async () => {
    using home = makeHome(FROZEN)
    const { error } = await order(home, [
      ...PIZZA,
      '--pay',
      'cash',
      '--payment-token',
      'tok_ok',
      '--yes',
      '--max-total',
      '20',
    ])
    expect(error).toMatchObject({ code: 'usage' })
  })

  test('a card that is declined buys nothing, and leaves nothing open', async () => {
    using home = makeHome(FROZEN)
    const declined = await order(home, [
      ...PIZZA,
      '--payment-token',
      'tok_declined',
      '--yes',
      '--max-total',
      '20',
    ])
    expect(declined.error).toMatchObject({ code: 'payment_declined', exitCode: 6 })
    expect((await runCommand(home, pendingList, ['--json'])).json()).toMatchObject({ data: [] })
    expect(await orders(home)).toEqual([])
  })
})

test('against a service elsewhere there is no test card', async () => {
  using home = makeHome(FROZEN)
  const remote = [
    '--base-url',
    'https://api.example.com',
    '--quote-id',
    'quo_1',
    '--yes',
    '--confirm',
    'default',
  ]
  const { error } = await runCommand(home, foodOrder, remote, { openClient: service(home) })
  expect(error?.message).toBe('Missing: --pay.')
  const card = await runCommand(home, foodOrder, [...remote, '--pay', 'card'], { openClient: service(home) })
  expect(card.error?.message).toBe('Missing: --payment-token.')
})
