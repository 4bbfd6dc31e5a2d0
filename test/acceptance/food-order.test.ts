/** A customer orders food at a terminal and by a script. */
import { expect } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { servedAcceptanceTest, acceptanceTest } from '../support/story.ts'
import type { AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES, type Terminal } from '../support/terminal.ts'

const ordered = async (told: AcceptanceContext, as?: string) =>
  (await told.call('list_food_orders', {}, as === undefined ? {} : { as })).data

const PIZZA = 'food order "Forno Santa Rosa" --item "Margherita x2" --fulfillment pickup'
const BREAD =
  'food order "Goosefoot Grocer Spitalfields" --item "Sourdough Loaf x3" --fulfillment delivery --to "12 Finsbury Square, EC2A 1AN"'

/** The questions of a bare `dray food order`, each with an answer. */
const STEPS: readonly (readonly [question: string | RegExp, keys: string])[] = [
  [/^\? Delivery, pickup or dine-in\?/m, KEY_BYTES.enter],
  [/^\? Delivery address\?/m, `12 Finsbury Square, EC2A 1AN${KEY_BYTES.enter}`],
  [/^\? Choose a store/m, `${KEY_BYTES.down}${KEY_BYTES.down}${KEY_BYTES.enter}`],
  [/^\? What would you like/m, `${KEY_BYTES.down}${KEY_BYTES.enter}`],
  [/^\? Noodles/m, KEY_BYTES.enter],
  [/^\? Protein/m, `${KEY_BYTES.down}${KEY_BYTES.enter}`],
  [/^\? Spice/m, KEY_BYTES.enter],
  [/^\? Extras \(up to 3\)\n/m, `${KEY_BYTES.down}${KEY_BYTES.enter}`],
  [/^\? Extras \(up to 3\): Fried egg/m, KEY_BYTES.enter],
  [/^\? How many Pad Thai\?/m, `2${KEY_BYTES.enter}`],
  [/^\? 2 items, £27\.00 so far\./m, KEY_BYTES.enter],
  [/^\? When\?/m, KEY_BYTES.enter],
  [/^\? Courier tip\?/m, `2${KEY_BYTES.enter}`],
  [/^\? Note to the store/m, `Nut allergy${KEY_BYTES.enter}`],
  [/for £30\.79 with the test card tok_ok\?/, ''],
]

/** Answers the first questions, and waits for the next one. */
async function answer(terminal: Terminal, count: number): Promise<void> {
  for (const [question, keys] of STEPS.slice(0, count)) {
    await terminal.shows(question)
    terminal.type(keys)
  }
  const [next] = STEPS[count] ?? []
  if (next !== undefined) await terminal.shows(next)
}

acceptanceTest('food is ordered by hand, from the store to the price', async (told) => {
  const terminal = told.terminal('food order', { rows: 50 })
  await answer(terminal, STEPS.length - 1)
  const screen = terminal.screen()
  expect(screen).toMatch(/^2 × Pad Thai +£27\.00\n {4}Chicken \+£0\.80, Medium, Fried egg \+£1\.20$/m)
  expect(screen).toMatch(/^Total +£30\.79$/m)
  expect(screen).toMatch(/15:00 left \(y\/N\)$/)
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.transcript()).toContain(
    "--item 'Pad Thai x2 + Chicken + Medium + Fried egg' --tip 2 --notes 'Nut allergy' --yes --max-total 30.79",
  )
  expect(await ordered(told)).toMatchObject([
    { status: 'placed', total: { amount: 3079 }, notes: 'Nut allergy' },
  ])
})

/** Two stories: a machine under load needs a second for each start. */
const HALVES = [
  ['while choosing', 0, 9],
  ['from the number to the price', 9, STEPS.length],
] as const
for (const [when, from, to] of HALVES) {
  acceptanceTest(`Ctrl-C at any question ${when} orders nothing`, async (told) => {
    for (let step = from; step < to; step += 1) {
      const terminal = told.terminal('food order', { rows: 50 })
      await answer(terminal, step)
      terminal.type(KEY_BYTES.ctrlC)
      expect(await terminal.ended(), String(STEPS[step]?.[0])).toMatchObject({ exitCode: 130 })
      expect(terminal.transcript()).toContain('Nothing was bought.')
    }
    expect(await ordered(told)).toEqual([])
    expect((await told.dray('pending list --json')).json<{ data: unknown[] }>().data).toEqual([])
  })
}

acceptanceTest('Enter at the price is no', async (told) => {
  const terminal = told.terminal(PIZZA)
  await terminal.shows('(y/N)')
  terminal.type(KEY_BYTES.enter)
  expect(await terminal.ended()).toMatchObject({ exitCode: 3 })
  expect(terminal.screen()).toContain('nothing was bought')
  expect(await ordered(told)).toEqual([])
})

acceptanceTest(
  'a quote that expires while the question stands buys nothing, and its new price is asked about',
  async (told) => {
    const terminal = told.terminal(PIZZA)
    await terminal.shows('for £20.65 with the test card')
    await told.advance('15m')
    terminal.type(`y${KEY_BYTES.enter}`)
    await terminal.shows('for £20.65 (as before) with the test card')
    expect(terminal.transcript()).toContain('The quote of £20.65 has expired. Nothing was bought.')
    terminal.type(KEY_BYTES.enter)
    expect(await terminal.ended()).toMatchObject({ exitCode: 3 })
    // The yes was to the quote before: no command to copy gives it again.
    expect(terminal.transcript()).not.toContain('--yes')
    expect(await ordered(told)).toEqual([])
  },
)

acceptanceTest('an order is asked for in the width of a narrow terminal', async (told) => {
  const terminal = told.terminal('food order', { columns: 40, rows: 60 })
  await answer(terminal, STEPS.length - 2)
  terminal.type(KEY_BYTES.enter)
  const screen = await terminal.shows('(y/N)')
  expect(screen).toMatch(/^Total +£30\.79$/m)
  expect(screen.split('\n').filter((line) => line.length > 40)).toEqual([])
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
})

acceptanceTest('what is wrong with an answer breaks between words on a narrow terminal', async (told) => {
  const terminal = told.terminal('food quote "Forno Santa Rosa" --item Margherita --fulfillment delivery', {
    columns: 40,
  })
  await terminal.shows('Delivery address?')
  terminal.type(`nowhere${KEY_BYTES.enter}`)
  const screen = await terminal.shows('and waterloo).')
  expect(screen).toContain(
    '\npostcode, a point such as\n51.5014,-0.1406, or a place such as\nkings-cross (known places are, for\n',
  )
  terminal.type(KEY_BYTES.ctrlC)
  await terminal.ended()
})

acceptanceTest('an order can be made without anything being drawn', async (told) => {
  const terminal = told.terminal('food order --accessible', { rows: 60, columns: 120 })
  const say = async (question: string, keys: string) => {
    await terminal.shows(question)
    terminal.type(`${keys}${KEY_BYTES.enter}`)
  }
  await say('Delivery, pickup or dine-in?', '2')
  await say('Choose a store', '1')
  await say('What would you like', '2')
  await say('Noodles\n', '1')
  await say('Protein\n', '')
  await say('Spice\n', '')
  await say('Extras (up to 3)\n', '1')
  await say('How many Pad Thai', '')
  await say('1 item, £11.50 so far.', '1')
  await say('When?', '1')
  await say('Note to the store', '')
  await say('This price is valid for 15:00 minutes (yes or no, Enter for no):', 'yes')
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.raw()).not.toMatch(new RegExp(`${KEY_BYTES.escape}\\[\\d*[A-HJK]`))
  expect(await ordered(told)).toHaveLength(1)
})

acceptanceTest('a script orders with a limit, and never above it', async (told) => {
  const refused = await told.dray(`${PIZZA} --yes --max-total 20.00 --json`, { exit: 7 })
  expect(refused.json<PrintedFailure>()).toMatchObject({
    code: 'price_above_limit',
    max_total: { amount: 2000 },
    current_total: { amount: 2065 },
    exit_code: 7,
  })
  expect(await ordered(told)).toEqual([])
  await told.dray(`${PIZZA} --yes --max-total 20.65 --json`)
  expect(await ordered(told)).toMatchObject([{ total: { amount: 2065 } }])
})

acceptanceTest('a basket comes from a file or a pipe, by names or ids', async (told) => {
  const basket = {
    fulfillment_type: 'dine_in',
    table: { table_number: '7', party_size: 2 },
    items: [{ name: 'Margherita', quantity: 2, notes: 'well done' }, 'Espresso x2 + Double'],
  }
  told.write('lunch.json', JSON.stringify(basket))
  const file = await told.dray('food quote "Forno Santa Rosa" --basket lunch.json --json')
  const piped = await told.dray('food quote "Forno Santa Rosa" --basket - --json', {
    input: JSON.stringify(basket),
  })
  type Quoted = { quote_id: string; total: unknown; table: unknown; lines: { name: string; notes: string }[] }
  expect(file.json<Quoted>()).toMatchObject({
    table: { table_number: '7', party_size: 2 },
    lines: [{ name: 'Margherita', quantity: 2, notes: 'well done' }, { name: 'Espresso' }],
  })
  expect(piped.json<Quoted>().total).toEqual(file.json<Quoted>().total)
  const ran = await told.dray(
    `food order --quote-id ${file.json<Quoted>().quote_id} --pay table --yes --json`,
  )
  expect(ran.json()).toMatchObject({ payment: { method: 'pay_at_table', status: 'unpaid' } })
})

servedAcceptanceTest('an order that was killed after sending is resumed, not bought again', async (told) => {
  const proxy = await startFaultProxy(told.url ?? '')
  const env = { DRAY_BASE_URL: proxy.url }
  try {
    const quoted = await told.dray(
      'food quote "Forno Santa Rosa" --item Margherita --fulfillment pickup --json',
      { env },
    )
    const { quote_id: id } = quoted.json<{ quote_id: string }>()
    const held = proxy.holdNext()
    const command = `food order --quote-id ${id} --yes --json`
    const first = told.start(command, { env })
    await held
    first.kill('SIGKILL')
    await first.ended
    const again = await told.dray(command, { env })
    expect(again.stderr).toMatch(/^Resuming the call of \d\d:\d\d, £11\.20\.\n$/)
    expect(await ordered(told)).toHaveLength(1)
  } finally {
    await proxy.close()
  }
})

acceptanceTest('an order is followed to the door', async (told) => {
  const placed = await told.dray(`${BREAD} --yes --max-total 30 --json`)
  const { order_id: id } = placed.json<{ order_id: string }>()
  const still = await told.dray('food track', { exit: 8 })
  expect(still.stdout).toMatch(/^\S+\tplaced\tby customer\n$/)
  expect(still.stderr).toContain('`dray sandbox clock advance 15m` advances it.')
  await told.advance('2h')
  const lines = (await told.dray(`food track ${id}`)).stdout.split('\n')
  expect(lines.filter((line) => line !== '').map((line) => line.split('\t')[1])).toEqual([
    'placed',
    'accepted',
    'preparing',
    'ready',
    'out_for_delivery',
    'completed',
  ])
  const changes = (await told.dray('food track --output ndjson')).lines<{
    order_id: string
    status: string
  }>()
  expect(changes.at(-1)).toMatchObject({ order_id: id, status: 'completed' })
  expect((await told.dray('food track --json')).json()).toMatchObject({ order_id: id, status: 'completed' })
})

acceptanceTest('on a terminal the order is drawn over as it goes on', async (told) => {
  await told.dray(`${BREAD} --yes --max-total 30 --json`)
  await told.control('set_clock', { mode: 'scaled', factor: 900 })
  const terminal = told.terminal('food track', { columns: 60 })
  await terminal.shows(/● Delivered/)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  const rows = terminal.transcript().split('\n')
  expect(rows.filter((row) => row.startsWith('Goosefoot Grocer Spitalfields, order'))).toHaveLength(1)
  expect(rows.filter((row) => row.includes('●'))).toHaveLength(1)
  expect(terminal.raw()).toContain('\x1b[')
})

acceptanceTest('Ctrl-C ends following, and the order goes on', async (told) => {
  const placed = await told.dray(`${BREAD} --yes --max-total 30 --as member --json`)
  const { order_id: id, display_number: number } = placed.json<Record<string, string>>()
  await told.control('set_clock', { mode: 'offset' })
  const terminal = told.terminal('food track --as member')
  await terminal.shows(/Placed/)
  terminal.type(KEY_BYTES.ctrlC)
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
  expect(terminal.transcript()).toContain(`\n\`dray food track ${id} --as member\` continues tracking it.`)
  expect(await ordered(told, 'member')).toHaveLength(1)
  // The field sees no parcels, and shares the order by its number nevertheless.
  const goesOn = await told.dray(`share ${number} --dry-run --as member`)
  expect(goesOn.stderr).toContain('Dry run')
})
