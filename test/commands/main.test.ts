import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Runtime } from '../../src/cli/runtime.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import { main } from '../../src/commands/main.ts'
import { AppError } from '../../src/core/errors.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo, type MemoryIo } from '../support/memory-io.ts'
import { runLine } from '../support/printed-hints.ts'

/** Runs a whole command line with a new home; `openClient` replaces the service. */
async function run(
  home: Home,
  argv: readonly string[],
  io: MemoryIo = memoryIo(),
  openClient: Runtime['openClient'] = () => Promise.reject(new AppError('network_error', 'Nobody is there.')),
): Promise<{ code: number; out: string; err: string }> {
  const runtime = { ...makeRuntime(`${import.meta.dirname}/../..`), ...home, openClient }
  const code = await main(argv, runtime, io)
  return { code, out: io.out(), err: io.err() }
}

test('the first run in a database names it without its password', async () => {
  using home = makeHome()
  const { err } = await run(home, ['carrier', 'list'], memoryIo(), (_, { firstRun }) => {
    firstRun('postgres://dray:s3cr3t@db.example/dray')
    return Promise.reject(new AppError('network_error', 'Nobody is there.'))
  })
  expect(err).toContain('Created a sandbox in postgres://dray:***@db.example/dray.')
})

test.each([
  ['api', 'place_food_order', '--help'],
  ['food', 'order', '--help'],
  ['help', 'food', 'order'],
])('%s %s %s names the test cards for a sandbox only', async (...words) => {
  using home = makeHome()
  home.writeConfig({ profiles: { work: { base_url: 'https://api.example.com' } } })
  const cards = 'tok_declined'
  const helpOf = async (...flags: string[]) => (await run(home, [...words, ...flags])).out
  expect(await helpOf()).toContain(cards)
  expect(await helpOf('--base-url', 'http://127.0.0.1:8080')).toContain(cards)
  for (const flags of [
    ['--profile', 'work'],
    ['--base-url', 'https://api.example.com'],
    ['--profile', 'none'],
  ]) {
    expect(await helpOf(...flags)).toMatch(/Token of the card, with|card token from the card form/)
    expect(await helpOf(...flags)).not.toContain(cards)
  }
})

describe('without a command', () => {
  test('a flag that does not exist is an error, not the help', async () => {
    using home = makeHome()
    for (const argv of [['--jsno'], ['carrier', '--verson'], ['-x']]) {
      const { code, out, err } = await run(home, argv)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(`Unknown option '${argv.at(-1)}'.`)
    }
  })

  test('the error for a value that begins with a dash says to write it after --', async () => {
    using home = makeHome()
    const { code, err } = await run(home, ['sandbox', 'clock', 'advance', '-1h'])
    expect(code).toBe(2)
    expect(err).toContain('hint: Put a value that begins with a dash after --, behind all flags: -- -1h')
  })

  test('a flag without its value is an error, not the help', async () => {
    using home = makeHome()
    for (const argv of [['--profile'], ['food', '--as'], ['--store', '--help'], ['--as', '--as']]) {
      const { code, out, err } = await run(home, argv)
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^error: --(?:profile|as|store) needs a value\.\nhint: `dray/)
    }
  })

  test('flags that every command takes change nothing', async () => {
    using home = makeHome()
    expect(await run(home, ['--quiet', '--profile', 'x', '--no-input'])).toMatchObject({ code: 0 })
    expect((await run(home, ['carrier', '-q'])).err).toContain('USAGE')
  })

  test('a script gets its one document', async () => {
    using home = makeHome()
    for (const argv of [['--json'], ['carrier', '--json'], ['--output', 'json', 'sandbox', 'clock']]) {
      const { code, out, err } = await run(home, argv)
      expect(JSON.parse(out)).toMatchObject({ code: 'usage', exit_code: 2 })
      expect([code, err]).toEqual([2, ''])
    }
  })
})

test('help of the program and of a topic fits a narrow terminal', async () => {
  using home = makeHome()
  for (const argv of [['--help'], ['help', 'exit-codes'], ['food', '--help']]) {
    const io = memoryIo({ tty: true, columns: 60 })
    const { out } = await run(home, [...argv, '--no-pager', '--color', 'never'], io)
    expect(out.split('\n').filter((line) => line.length > 60)).toEqual([])
  }
})

describe('help with --json is one document', () => {
  const helpOf = async (...argv: string[]): Promise<unknown> => {
    using home = makeHome()
    const { code, out } = await run(home, argv)
    expect(code).toBe(0)
    return JSON.parse(out)
  }

  test.each([
    ['help', 'carrier', 'upload', '--json'],
    ['carrier', 'upload', '--help', '--output', 'json'],
  ])('%s %s %s %s: what the command takes', async (...argv) => {
    expect(await helpOf(...argv)).toMatchObject({
      command: 'dray carrier upload',
      usage: 'dray carrier upload <file> [flags]',
      arguments: [{ name: 'file', required: true }],
      flags: expect.arrayContaining([expect.objectContaining({ flag: '--map', repeat: true })]),
      global_flags: expect.arrayContaining([expect.objectContaining({ flag: '--json' })]),
      examples: expect.arrayContaining(['dray carrier upload manifest.csv --dry-run']),
      subcommands: [],
    })
  })

  test('of a group, and of the program, its commands', async () => {
    expect(await helpOf('help', 'pending', '--json')).toMatchObject({
      command: 'dray pending',
      subcommands: ['list', 'show', 'resolve'].map((word) => ({ command: `dray pending ${word}` })),
    })
    expect(await helpOf('--help', '--json')).toMatchObject({
      command: 'dray',
      subcommands: expect.arrayContaining([
        { command: 'dray food', summary: 'Order food: search, menu, quote, order, track' },
        expect.objectContaining({ command: 'dray login' }),
      ]),
    })
  })

  test('of a topic, its text', async () => {
    expect(await helpOf('help', 'agents', '--json')).toMatchObject({
      topic: 'agents',
      text: expect.stringContaining('APPROVALS AND SPENDING LIMITS'),
    })
  })

  test('but DRAY_OUTPUT leaves help to people', async () => {
    using home = makeHome({ DRAY_OUTPUT: 'json' })
    for (const argv of [['--help'], ['help', 'food'], ['help', 'food', 'show'], ['food', 'show', '--help']])
      expect((await run(home, argv)).out).toContain('\nUSAGE\n')
  })
})

test.each([
  [
    ['carrier', 'list', '--status', 'deliverd'],
    /^error: --status must be one of pre_transit, .*, not "deliverd"\.$/m,
  ],
  [['carrier', 'list', '--service', 'fast'], /^error: --service must be one of same_day, .*, not "fast"\.$/m],
  [['carrier', 'list', '--limit'], /^error: --limit needs a value\.$/m],
  [
    'carrier rates --to-postal-code E16EA --to-country GB --weight 1.4 --length 1cm --width 1cm --height 1cm'.split(
      ' ',
    ),
    /^error: --weight: 1\.4 g has a fraction; write whole g, or the unit behind the number\.$/m,
  ],
  [
    ['carrier', 'list', '--created-from', 'soon', '--created-to', 'x'],
    /^error: 2 values are invalid\.\n  --created-from: must be/m,
  ],
])('%j is refused in plain words', async (argv, words) => {
  using home = makeHome()
  expect((await run(home, argv)).err).toMatch(words)
})

describe('a failure', () => {
  test('about a token names the login that mends it', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { shop: { base_url: 'https://shop.example', protected: false } } })
    const refused = () => Promise.reject(new AppError('not_logged_in', 'There is no token.'))
    const named = await run(home, ['carrier', 'list', '--profile', 'shop'], memoryIo(), refused)
    expect(named.err).toContain('hint: Run `dray login --profile shop`.')
    const given = await run(
      home,
      ['carrier', 'list', '--base-url', 'http://127.0.0.1:9'],
      memoryIo(),
      refused,
    )
    expect(given.err).toContain(
      'hint: Run `dray login --base-url http://127.0.0.1:9 --profile NAME` or set DRAY_TOKEN. For your own sandbox, add --as everything.',
    )
  })

  test('is in the requested form and colours, wherever the request was', async () => {
    using home = makeHome()
    home.writeConfig({ profiles: { ci: { output: 'json' } } })
    const { out } = await run(home, ['carrier', 'show', '--profile', 'ci'])
    expect(JSON.parse(out)).toMatchObject({ code: 'usage' })
    const io = memoryIo({ tty: true, columns: 80 })
    await run(home, ['carrier', 'list', '--limit', '0', '--color', 'never'], io)
    expect(io.err()).toMatch(/^error: --limit/)
  })
})

describe('--fields', () => {
  const list = (home: Home, fields: string) =>
    run(home, ['carrier', 'list', '--fields', fields], memoryIo(), embeddedIn(home))

  test('is held against what the answer may have, also when it has nothing', async () => {
    using home = makeHome()
    const wrong = await list(home, 'statsu')
    expect([wrong.code, wrong.out]).toEqual([2, ''])
    expect(wrong.err).toContain(
      'Unknown fields in --fields: statsu. Available: tracking_number, reference, customer, status,',
    )
    expect(await list(home, 'recipient.company,proof_of_delivery.method')).toMatchObject({
      code: 0,
      out: 'recipient.company\tproof_of_delivery.method\n',
    })
  })

  test('help lists them all', async () => {
    using home = makeHome()
    const names = (await list(home, 'help')).out.split('\n')
    expect(names).toContain('tracking_number')
    expect(names).toContain('recipient.address.postal_code')
    expect(names).toContain('cancellation.disposition')
  })
})

test('answers are not lost with what was wrong in them', async () => {
  using home = makeHome()
  const io = memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })
  const line =
    'carrier create --accessible --to-name Ada --to-line1 1 --to-city London --to-postal-code E16EA --weight 1kg --length 1cm --width 1cm --height 1cm --service economy'
  const running = run(home, line.split(' '), io, embeddedIn(home))
  await expect.poll(() => io.asked()).toContain('Country, such as GB (--to-country):')
  io.type('Narnia\n')
  const { code, err } = await running
  expect(code).toBe(6)
  expect(err).toContain(`As answered: dray ${line} --to-country Narnia\n`)
})

test('an error of a flag names the flag, not its field', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z' })
  const line = 'rides quote --from soho --to bank --for yesterday'
  const { err } = await run(home, line.split(' '), memoryIo(), embeddedIn(home))
  expect(err).toContain("error: --for is in the past: by the service's clock")
  expect(err).not.toContain('scheduled_for')
})

test('--all ends when a service gives the same page for ever', async () => {
  using home = makeHome()
  const page = { data: [{ tracking_number: 'A' }], has_more: true, next_cursor: 'same' }
  const io = memoryIo()
  const { code, err } = await run(home, ['carrier', 'list', '--all'], io, async (target) => ({
    ...(await embeddedIn(home)(target)),
    call: withOperationTypes(() =>
      Promise.resolve({
        value: page,
        status: 200,
        requestId: 'req_1',
        replayed: false,
        serviceTime: { now: 0, frozen: false },
      }),
    ),
  }))
  expect(code).toBe(11)
  expect(err).toContain('it gave a cursor a second time')
})

const NOON = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }

test.each([
  ['rides quote --from kings-cross --to bank', 'scheduled_for'],
  ['carrier list', 'created_from'],
  ['carrier create', 'to_name,service_level_code'],
  ['business catalog list', 'batch_id'],
])('%s --fields %s: the message names the fields as they were typed, and no flag', async (words, fields) => {
  using home = makeHome({ ...NOON })
  const { code, err } = await runLine(home, `dray ${words} --fields ${fields}`, { piped: true })
  expect(code).toBe(2)
  expect(err).toContain(`error: Unknown fields in --fields: ${fields.replace(',', ', ')}. Available: `)
  expect(err.replaceAll('--fields', '')).not.toContain('--')
})

test('a fault of dray is under its error id in a file that doctor names', async () => {
  using home = makeHome({ ...NOON })
  const broken = () => Promise.reject(new Error('the moon is in the way'))
  const { code, err } = await run(home, ['carrier', 'list', '--as', 'shipper'], memoryIo(), broken)
  expect(code).toBe(1)
  const [, id = ''] = /Error ID: (\w+)/.exec(err) ?? []
  const { out } = await runLine(home, 'dray doctor', { piped: true })
  const [, file = ''] = /; (\S+errors\.jsonl) has its details/.exec(out) ?? []
  expect(out).toContain(`the last is ${id} of \`dray carrier list\``)
  const logged = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  expect(logged).toMatchObject({ error_id: id, command: 'carrier list' })
  expect(logged['stack']).toContain('the moon is in the way')
})

test('an unknown snapshot is not found, and a folder is no snapshot', async () => {
  using home = makeHome({ ...NOON })
  const load = (name: string) => runLine(home, `dray sandbox snapshot load ${name} --json`, { piped: true })
  expect(JSON.parse((await load('nothing')).out)).toMatchObject({ code: 'snapshot_not_found', exit_code: 5 })
  expect((await load('.//')).code).toBe(2)
})

test.each([
  [
    'an unknown dish',
    'food order "Forno Santa Rosa" --item Pizzzza --fulfillment pickup',
    2,
    '"Pizzzza" is not on the menu',
  ],
  [
    'an unknown store',
    'food order Nowhere --item Slaw --fulfillment pickup',
    5,
    'No store near there is named "Nowhere"',
  ],
  ['an unknown place', 'rides request --from nowhere --to bank --tier economy', 2, 'nowhere'],
  [
    'a door that is unknown',
    'delivery request --from soho --to nowhere --what Keys --from-name A --to-name B',
    2,
    'nowhere',
  ],
  [
    'a site that is unknown',
    'tasks create shelf_audit --to nowhere --require store_name=x --require products=y',
    2,
    'nowhere',
  ],
])('a script is told of %s before it has to confirm', async (_, line, exit, text) => {
  using home = makeHome({ ...NOON })
  const { code, err } = await runLine(home, `dray ${line}`, { piped: true })
  expect(err).toContain(text)
  expect(code).toBe(exit)
})

test.each(['food list --as membr', 'sandbox account wallet membr', 'scenario run story.yaml --ephemeral'])(
  '%s: an account with a slip is answered with the one that is meant',
  async (line) => {
    using home = makeHome({ ...NOON })
    writeFileSync(`${home.cwd}/story.yaml`, 'steps:\n  - as: membr\n    call: list_food_orders\n')
    const { out, err } = await runLine(home, `dray ${line}`, { piped: true })
    expect(out + err).toMatch(/o account membr[.;] did you mean member\?/i)
  },
)

test('a link says that no service serves its page', async () => {
  using home = makeHome({ ...NOON })
  const ride = 'dray rides request --from kings-cross --to bank --tier economy --yes --max-total 40 --json'
  const { ride_id } = JSON.parse((await runLine(home, ride, { piped: true })).out) as { ride_id: string }
  const { code, err } = await runLine(home, `dray share ${ride_id} --json`, { piped: true })
  expect(code).toBe(0)
  expect(err).toContain(
    'warning: No server is running for this sandbox: the link works only while `dray serve` runs.',
  )
})

test('the error for a value that begins with dashes says to write it after --, as printed commands do', async () => {
  using home = makeHome({ ...NOON })
  const dray = (line: string) => runLine(home, `dray ${line}`)
  expect((await dray('carrier show --A-1001')).err).toContain(
    'Put a value that begins with a dash after --, behind all flags: -- --A-1001',
  )
  expect((await dray('carrier list --yess')).err).not.toContain('begins with a dash')
  const { err } = await dray("sandbox snapshot save --as member -- '--lunch break'")
  expect(err).toContain("Next: dray sandbox snapshot load --as member -- '--lunch break'")
  expect((await dray("sandbox snapshot load --confirm sandbox -- '--lunch break'")).code).toBe(0)
})
