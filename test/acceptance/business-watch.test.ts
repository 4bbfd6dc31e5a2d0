import { expect } from 'vitest'
import { placeOrder } from '../support/customer.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import type { RunningProcess } from '../support/program.ts'
import { servedAcceptanceTest, acceptanceTest, type AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

type Order = {
  order_id: string
  display_number: string
  status: string
  rejection: { reason_code: string } | null
}

async function statusOf(told: AcceptanceContext, order_id: string): Promise<string> {
  return (await told.call('get_business_order', { order_id })).status
}

/** Resolves when the output matches. */
function printed({ onOutput }: RunningProcess, sight: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    onOutput((more) => {
      text += more
      if (sight.test(text)) resolve(text)
    })
  })
}

acceptanceTest('the board shows the orders by state, and keys move them on', async (told) => {
  const one = await placeOrder(told)
  await told.advance('3m')
  const two = await placeOrder(told, { fulfillment: 'dine_in', method: 'cash' })
  const board = told.terminal('business orders watch', { columns: 120, rows: 40 })
  await board.shows(/NEW 2\n> \w{4} +7:00 left +pickup +3 × Focaccia +£/)
  expect(board.screen()).toMatch(
    new RegExp(`2 NEW, £[\\d.]+: ${one.display_number} 7:00 left, ${two.display_number}`),
  )
  // The cursor stays among the new orders: the next key is for the next of them.
  board.type('a')
  await board.shows(new RegExp(`NEW 1\n> ${two.display_number}[^]*TO MAKE 1`))
  board.type(KEY_BYTES.down)
  await board.shows(`> ${one.display_number}`)
  board.type('p')
  await board.shows('COOKING 1')
  board.type(KEY_BYTES.down)
  await board.shows(`> ${one.display_number}`)
  board.type('r')
  await board.shows('READY 1')
  expect(await statusOf(told, one.order_id)).toBe('ready')
  board.type(`${KEY_BYTES.down}c`)
  await board.shows(`${one.display_number} is completed.`)
  expect(await statusOf(told, one.order_id)).toBe('completed')
  await board.shows(new RegExp(`> ${two.display_number}`))
  board.type('q')
  expect(await board.ended()).toEqual({ exitCode: 0, signal: undefined })
})

acceptanceTest(
  'the board names the order that ends first, opens it, and keeps what was lost in sight',
  async (told) => {
    const late = await placeOrder(told, { token: 'tok_pending', notes: 'Severe nut allergy' })
    const board = told.terminal('business orders watch', { columns: 60, rows: 20 })
    await board.shows(`1 NEW, £`)
    await board.shows(`${late.display_number} 10:00 left`)
    // The payment comes in after two minutes: from then on the store has ten.
    await told.advance('2m')
    await board.shows(`${late.display_number} 10:00 left`)
    const other = await placeOrder(told)
    await told.advance('9m')
    await board.shows(
      new RegExp(`! 2 NEW, £[\\d.]+: ${late.display_number} 1:00 left, ${other.display_number} 1:00`),
    )
    board.type(KEY_BYTES.enter)
    await board.shows(/accept\s+before[^]*ALLERGY! Note from the customer: "Severe nut allergy"[^]*Esc back/)
    board.type('a')
    await board.shows(`${late.display_number} is accepted.`)
    board.type(KEY_BYTES.escape)
    await board.shows(`> ${other.display_number}`)
    await told.advance('1m')
    await board.shows(`! 1 LOST, £`)
    expect(board.screen()).toContain(`${other.display_number} not accepted in time`)
    board.type('l')
    await board.shows('Enter acknowledge lost orders and remove them')
    board.type(KEY_BYTES.enter)
    await board.shows((screen) => !screen.includes('LOST'))
    board.type('q')
    await board.ended()
  },
)

acceptanceTest('the board moves its selection, and acts on the order that is selected', async (told) => {
  const [one, two] = [await placeOrder(told), await placeOrder(told)]
  const board = told.terminal('business orders watch')
  await board.shows(`> ${one.display_number}`)
  board.type(KEY_BYTES.down)
  await board.shows(`> ${two.display_number}`)
  board.type('a')
  await board.shows(`${two.display_number} is accepted.`)
  expect(await statusOf(told, one.order_id)).toBe('placed')
  expect(await statusOf(told, two.order_id)).toBe('accepted')
  board.type('q')
  expect(await board.ended()).toMatchObject({ exitCode: 0 })
})

acceptanceTest('a rejection on the board asks why, and Escape keeps the order', async (told) => {
  const { order_id: id, display_number: number } = await placeOrder(told)
  const board = told.terminal('business orders watch')
  await board.shows('x reject')
  board.type('x')
  await board.shows(/will be refunded to the customer\. Reason:[^]*3 too busy/)
  board.type(KEY_BYTES.escape)
  await board.shows('x reject')
  expect(await statusOf(told, id)).toBe('placed')
  board.type('x3')
  await board.shows(`Enter reject ${number}`)
  board.type(KEY_BYTES.enter)
  await board.shows(/Orders: 0 active/)
  expect((await told.dray(`business orders show ${id} --json`)).json<Order>()).toMatchObject({
    status: 'rejected',
    rejection: { reason_code: 'too_busy' },
  })
  board.type('q')
  await board.ended()
})

acceptanceTest('the board shows a refusal and goes on', async (told) => {
  const unpaid = await placeOrder(told, { token: 'tok_pending' })
  const other = await placeOrder(told)
  const board = told.terminal('business orders watch')
  await board.shows(/> \w{4}[^\n]*unpaid/)
  board.type('a')
  await board.shows(`! ${unpaid.display_number} was not accepted: `)
  board.type(`${KEY_BYTES.down}a`)
  await board.shows(`${other.display_number} is accepted.`)
  board.type(KEY_BYTES.ctrlC)
  expect(await board.ended()).toMatchObject({ exitCode: 130 })
})

acceptanceTest(
  'a new order rings, one that is cancelled is told, and resizing draws the board anew',
  async (told) => {
    const first = await placeOrder(told)
    const board = told.terminal('business orders watch', { columns: 120, rows: 30 })
    await board.shows('NEW 1')
    expect(board.bells()).toBe(0)
    const second = await placeOrder(told)
    await board.shows(`New order ${second.display_number}: 3 × Focaccia`)
    expect(board.bells()).toBe(1)
    await told.call('cancel_food_order', { order_id: first.order_id })
    await board.shows(`${first.display_number} is cancelled.`)
    board.resize(40, 24)
    await board.shows(
      (screen) => screen.split('\n').length <= 24 && /> \w{4} +10:00 left +3 × Focaccia$/m.test(screen),
    )
    expect(
      board
        .screen()
        .split('\n')
        .filter((line) => line.length > 40),
    ).toEqual([])
    board.type('q')
    await board.ended()
  },
)

acceptanceTest('a narrow board has what a kitchen needs', async (told) => {
  const { display_number: number } = await placeOrder(told, { token: 'tok_pending', notes: 'Ring twice' })
  const board = told.terminal('business orders watch', { columns: 40, rows: 24 })
  const screen = await board.shows(`> ${number}`)
  expect(screen).toMatch(/> \w{4} +10:00 left +! 3 × \S* +unpaid/)
  expect(screen).toContain('Note from the customer: "Ring twice"')
  expect(screen).toContain('x reject')
  board.type(KEY_BYTES.ctrlC)
  expect(await board.ended()).toMatchObject({ exitCode: 130 })
})

acceptanceTest('a board gives the terminal back as it was', async (told) => {
  await placeOrder(told)
  const line = 'echo before; dray business orders watch; echo "after $?"; stty -a'
  const quit = told.terminalShell(line)
  await quit.shows('NEW 1')
  quit.type('q')
  await quit.ended()
  expect(quit.screen()).toMatch(/^before\nafter 0\n[^]* icanon [^]* echo /)
  expect(quit.raw().lastIndexOf('\x1b[?25h')).toBeGreaterThan(quit.raw().lastIndexOf('\x1b[?25l'))

  const killed = told.terminal('business orders watch')
  await killed.shows('NEW 1')
  killed.kill('SIGTERM')
  expect(await killed.ended()).toMatchObject({ exitCode: 143 })
  expect(killed.raw().endsWith('\x1b[?25h\x1b[?1049l')).toBe(true)
})

acceptanceTest('without drawing the orders are lines, and Ctrl-C ends them', async (told) => {
  const { display_number: number } = await placeOrder(told)
  const lines = told.terminal('business orders watch --accessible --timeout 1h')
  await lines.shows(new RegExp(`${number}.*placed`))
  await told.dray(`business orders accept ${number}`)
  await lines.shows(new RegExp(`${number}.*accepted`))
  expect(lines.raw()).not.toContain('\x1b')
  lines.type(KEY_BYTES.ctrlC)
  expect(await lines.ended()).toMatchObject({ exitCode: 130 })
})

acceptanceTest(
  'on a frozen clock a pipe gets what is there, and the command that advances it',
  async (told) => {
    const { order_id: id, display_number: number } = await placeOrder(told)
    const piped = await told.dray('business orders watch', { exit: 8 })
    expect(piped.stdout).toMatch(
      new RegExp(`^\\S+\\t${number}\\t${id}\\tplaced\\tpickup\\t3 × Focaccia\\t£[\\d.]+\\tcard, paid\\n$`),
    )
    expect(piped.stderr).toContain('dray sandbox clock advance')
    const whole = await told.dray('business orders watch --json', { exit: 8 })
    expect(whole.json<{ data: Order[] }>().data.map(({ order_id }) => order_id)).toEqual([id])
    const stream = await told.dray('business orders watch --output ndjson', { exit: 8 })
    expect(stream.lines<Order>()).toMatchObject([{ order_id: id, status: 'placed' }])
  },
)

servedAcceptanceTest('on a protected profile the keys act only when its name was given', async (told) => {
  const { order_id: id, display_number: number } = await placeOrder(told)
  await told.dray(`profile add live --base-url ${told.url} --protected`)
  const looked = told.terminal('business orders watch --profile live')
  await looked.shows(`> ${number}`)
  looked.type('a')
  await looked.shows('! The profile live is protected')
  looked.type('q')
  expect(await looked.ended()).toMatchObject({ exitCode: 0 })
  expect(await statusOf(told, id)).toBe('placed')
  const confirmed = told.terminal('business orders watch --profile live --confirm live')
  await confirmed.shows('a accept')
  confirmed.type('a')
  await confirmed.shows('TO MAKE 1')
  confirmed.type('q')
  await confirmed.ended()
})

servedAcceptanceTest('a pipe gets a line for each change, to the end of each order', async (told) => {
  const watched = told.start('business orders watch --output ndjson --timeout 1h')
  const { order_id: id, display_number: number } = await placeOrder(told)
  await printed(watched, /"placed"/)
  await told.dray(`business orders accept ${number}`)
  await told.dray(`business orders reject ${id} --confirm ${id} --reason store_closed`)
  await printed(watched, /"rejected"/)
  watched.kill('SIGINT')
  const { stdout, exitCode } = await watched.ended
  expect(exitCode).toBe(130)
  const statuses = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Order).status)
  expect([statuses[0], statuses.at(-1)]).toEqual(['placed', 'rejected'])
})

servedAcceptanceTest(
  'a board on a clock that runs outlives a service that starts anew',
  async (told) => {
    await told.dray('sandbox clock run')
    await placeOrder(told)
    const board = told.terminal('business orders watch --timeout 1h')
    await board.shows('NEW 1')
    await told.crash()
    const { display_number: number } = await placeOrder(told)
    await board.shows(number)
    board.type('q')
    expect(await board.ended()).toMatchObject({ exitCode: 0 })
  },
  { isStarted: true },
)

servedAcceptanceTest(
  'Ctrl-C leaves a board whose call is not answered, and the call is remembered',
  async (told) => {
    const { order_id: id, display_number: number } = await placeOrder(told)
    const proxy = await startFaultProxy(told.url ?? '')
    const env = { DRAY_BASE_URL: proxy.url }
    const board = told.terminal('business orders watch', { env })
    await board.shows(`> ${number}`)
    const held = proxy.holdNext()
    board.type('a')
    await held
    await board.shows(`Accepting ${number}`)
    board.type(KEY_BYTES.ctrlC)
    expect(await board.ended()).toMatchObject({ exitCode: 130 })
    await proxy.close()
    expect(await statusOf(told, id)).toBe('accepted')
    const open = await told.dray('pending list --json --query "data[].operation"')
    expect(open.json()).toEqual(['accept_business_order'])
  },
)

acceptanceTest(
  'an order that is nearly rejected by itself counts down, and rings until it is seen to',
  async (told) => {
    const { display_number: number } = await placeOrder(told, { notes: 'Severe peanut allergy' })
    await told.advance('510s')
    const board = told.terminal('business orders watch', { columns: 80, rows: 24 })
    const screen = await board.shows(new RegExp(`> ${number} +1:30 left`))
    expect(screen).toContain('ALLERGY! 3 × Foc')
    expect(screen).toContain('ALLERGY! Note from the customer: "Severe peanut allergy"')
    await board.shows(() => board.bells() > 0)
    board.type('b')
    await board.shows('bell off')
    await told.advance('2m')
    await board.shows(`${number} is rejected and refunded: not accepted in time.`)
    board.type('q')
    await board.ended()
  },
)

acceptanceTest('keys say how long it takes, take an item off sale, and show all keys', async (told) => {
  const { order_id: id, display_number: number, subtotal } = await placeOrder(told)
  const board = told.terminal('business orders watch', { columns: 80, rows: 24 })
  const pounds = `£${(subtotal.amount / 100).toFixed(2)}`
  await board.shows(`today ${pounds} net from 1 order`)
  board.type('?')
  await board.shows(/All keys[^]*t +accept or start it with a preparation time/)
  board.type(' ')
  await board.shows(`> ${number}`)
  board.type('t25')
  await board.shows(`Accept ${number}: ready in 25 minutes`)
  board.type(KEY_BYTES.enter)
  await board.shows(`${number} is accepted.`)
  expect((await told.dray(`business orders show ${id} --json`)).json()).toMatchObject({
    prep: { prep_time_minutes: 25 },
  })
  board.type('o1')
  await board.shows('Focaccia is unavailable')
  const off = await told.dray('business catalog list --q Focaccia --no-available --json')
  expect(off.json<{ data: unknown[] }>().data).toHaveLength(1)
  board.type('q')
  await board.ended()
})

acceptanceTest('the board without drawing takes commands that are typed', async (told) => {
  const { order_id: id, display_number: number } = await placeOrder(told, { notes: 'Coeliac' })
  const lines = told.terminal('business orders watch --accessible', { columns: 120 })
  await lines.shows('accept NUMBER [minutes]')
  expect(lines.transcript().replaceAll('\n', ' ')).toMatch(
    /ALLERGY: "Coeliac" +rejected automatically in 10 min/,
  )
  lines.type('new\r')
  await lines.shows(`${number} 10:00 left`)
  lines.type(`show ${number}\r`)
  await lines.shows('ALLERGY! Note from the customer: "Coeliac"')
  await told.advance('510s')
  await lines.shows(`URGENT: ${number} will be rejected automatically in 1:30.`)
  lines.type(`accept ${number} 25\r`)
  await lines.shows(`${number} is accepted.`)
  expect(await statusOf(told, id)).toBe('accepted')
  lines.type('reject\r')
  await lines.shows('Which order? reject NUMBER')
  lines.type('quit\r')
  expect(await lines.ended()).toMatchObject({ exitCode: 0 })
})
