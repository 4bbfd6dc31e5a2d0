import { expect } from 'vitest'
import { acceptanceTest, type AcceptanceContext } from '../support/story.ts'

type Verification = { verified: boolean; problems: string[]; manifest: { root: string; recomputed: string } }
type Failure = { code: string; exit_code: number }

const AUDIT =
  'tasks create shelf_audit --to spitalfields --require store_name=Goosefoot --require products=Milk,Bread --yes --max-total 25'

async function create(told: AcceptanceContext, flags = ''): Promise<{ task_id: string }> {
  return (await told.dray(`${AUDIT} ${flags} --json`)).json<{ task_id: string }>()
}

const show = (told: AcceptanceContext, task_id: string) => told.call('get_task', { task_id })

acceptanceTest('a task is quoted, created, watched, and its evidence saved and verified', async (told) => {
  const types = (await told.dray('tasks types --json')).json<{ data: { task_type: string }[] }>()
  expect(types.data.map(({ task_type }) => task_type)).not.toContain('document_drop')
  const quote = (
    await told.dray(
      'tasks quote shelf_audit --to spitalfields --require store_name=Goosefoot --require products=Milk --rule "shelf_photos min_count=3 geofence_radius_m=60" --express --json',
    )
  ).json<{ quote_id: string; total: { amount: number } }>()
  expect(quote.total.amount).toBe(1200 + 360 + 50)

  const created = await told.dray(
    `tasks create --quote-id ${quote.quote_id} --expected-total 16.10 --instructions "Third aisle" --yes`,
  )
  expect(created.stderr).toContain('Created task Shelf audit: £16.10.')
  await told.dray('tasks track', { exit: 8 })
  await told.advance('3m')
  const waiting = await told.dray('tasks track', { exit: 8 })
  expect(waiting.stdout).toContain('assigned')
  await told.advance('1h')
  const task = (await told.dray('tasks show --json')).json<{ task_id: string }>()
  expect(task).toMatchObject({
    status: 'completed',
    result: { outcome: 'success' },
    evidence_summary: { items_count: 4, accepted: 4 },
  })
  const tracked = await told.dray(`tasks track ${task.task_id} --output ndjson`)
  expect(tracked.stdout.trim().split('\n').length).toBeGreaterThan(5)
})

acceptanceTest(
  'evidence is saved with sums that sha256sum takes, over nothing that was changed',
  async (told) => {
    await create(told)
    await told.advance('1h')
    const saved = await told.dray('tasks evidence --save "my proof" --verify --json')
    expect(saved.json<Verification>()).toMatchObject({ verified: true, problems: [] })
    const sums = await told.shell(`cd "my proof" && sha256sum -c SHA256SUMS`)
    expect(
      sums.stdout
        .trim()
        .split('\n')
        .every((line) => line.endsWith(': OK')),
    ).toBe(true)
    const again = await told.dray('tasks evidence --save "my proof"')
    expect(again.stderr).toContain('already')
    const [file = ''] = sums.stdout.split(':')
    told.write(`my proof/${file}`, 'forged')
    await told.shell(`cd "my proof" && sha256sum -c --quiet SHA256SUMS`, { exit: 1 })
    const kept = await told.dray('tasks evidence --save "my proof" --json', { exit: 2 })
    expect(kept.json<Failure>().code).toBe('file_error')
    expect(told.read(`my proof/${file}`)).toBe('forged')
    await told.dray('tasks evidence --save "my proof" --force')
    await told.shell(`cd "my proof" && sha256sum -c --quiet SHA256SUMS`)
  },
)

acceptanceTest('a forged picture is found out', async (told) => {
  const { task_id } = await create(told)
  await told.advance('1h')
  await told.dray(`tasks evidence ${task_id} --verify`)
  const restore = await told.store((db) =>
    db.write(async (tx) => {
      const row = await tx.get(
        `select b.sha256, b.bytes from blobs b join media m on m.sha256 = b.sha256 order by m.media_id limit 1`,
      )
      const bytes = row?.['bytes']
      if (!(bytes instanceof Uint8Array)) throw new Error('there is a picture')
      const [sha256, forged] = [String(row?.['sha256']), bytes.slice()]
      forged[60] = (forged[60] ?? 0) ^ 1
      await tx.run('update blobs set bytes = $2 where sha256 = $1', sha256, forged)
      return { sha256, bytes }
    }),
  )
  const failed = await told.dray(`tasks evidence ${task_id} --verify --json`, { exit: 6 })
  const found = failed.json<Verification>()
  expect(found).toMatchObject({ verified: false, manifest: { matches: true } })
  expect(found.problems).toEqual([expect.stringContaining(`not ${restore.sha256} as the evidence says`)])
  await told.store((db) =>
    db.write(async (tx) => {
      await tx.run('update blobs set bytes = $2 where sha256 = $1', restore.sha256, restore.bytes)
    }),
  )
})

acceptanceTest(
  'bad evidence is captured again, once; twice bad it fails and the call-out is kept',
  async (told) => {
    const once = await create(told, '--scenario bad_evidence;kind=outside_geofence')
    await told.advance('1h')
    const good = await show(told, once.task_id)
    expect(good).toMatchObject({ status: 'completed', evidence_summary: { items_count: 4, accepted: 3 } })
    const table = await told.dray(`tasks evidence ${once.task_id}`)
    expect(table.stdout).toContain('rejected\toutside_geofence')
    await told.dray(`tasks evidence ${once.task_id} --verify`)

    const twice = await create(told, '--new --scenario bad_evidence;kind=wrong_subject;times=2')
    await told.advance('1h')
    expect(await show(told, twice.task_id)).toMatchObject({
      status: 'failed',
      result: { failure_reason: 'evidence_rejected' },
      refund: { amount: { amount: 900 } },
    })
  },
)

acceptanceTest('a task that cannot be done fails, and one that nobody accepts is refunded', async (told) => {
  const failing = await create(told, '--scenario task_fails;reason=location_closed')
  await told.advance('1h')
  expect(await show(told, failing.task_id)).toMatchObject({
    status: 'failed',
    result: { failure_reason: 'location_closed' },
    refund: { amount: { amount: 900 } },
  })
  const left = await create(told, '--new --scenario no_provider')
  await told.advance('2h')
  expect(await show(told, left.task_id)).toMatchObject({
    status: 'unfulfilled',
    provider: null,
    refund: { amount: { amount: 1200 } },
  })
})

acceptanceTest('a task is cancelled before it has started, and not after', async (told) => {
  const { task_id } = await create(told)
  await told.advance('3m')
  await told.dray(`tasks cancel ${task_id} --yes`, { exit: 3 })
  const cancelled = await told.dray(`tasks cancel ${task_id} --reason too_slow --confirm ${task_id}`)
  expect(cancelled.stderr).toContain(`Cancelled task ${task_id}.`)
  expect(await show(told, task_id)).toMatchObject({
    status: 'cancelled',
    refund: { amount: { amount: 1200 } },
  })

  const other = await create(told, '--new')
  for (let minute = 0; (await show(told, other.task_id)).status !== 'in_progress'; minute++) {
    if (minute > 60) throw new Error('nobody ever came')
    await told.advance('1m')
  }
  const late = await told.dray(`tasks cancel ${other.task_id} --confirm ${other.task_id} --json`, { exit: 7 })
  expect(late.json<Failure>().code).toBe('not_cancellable')
})

acceptanceTest('missing and wrong inputs are reported before anything is sent', async (told) => {
  const nothing = await told.dray('tasks create --json', { exit: 2 })
  for (const flag of ['TASK_TYPE', '--to', '--yes', '--max-total']) expect(nothing.stdout).toContain(flag)
  const bare = await told.dray('tasks quote --json', { exit: 2 })
  expect(bare.stdout).toContain('TASK_TYPE')
  expect(bare.stdout).toContain('--to')
  const lacking = await told.dray('tasks quote queue_hold --to soho --json', { exit: 2 })
  expect(lacking.json()).toMatchObject({
    detail: 'Missing: --require queue_for, --require hold_minutes.',
    hint: 'Complete the command: dray tasks quote queue_hold --to soho --json --require queue_for=QUEUE_FOR --require hold_minutes=10',
  })
  const wrong = await told.dray('tasks quote meter_reading --to soho --require meter=steam --json', {
    exit: 2,
  })
  expect(wrong.stdout).toContain('one of gas, water, electricity')
  const none = await told.dray('tasks quote document_drop --to soho --json', { exit: 7 })
  expect(none.json<Failure>().code).toBe('no_qualified_provider')
  const dear = await told.dray(AUDIT.replace('25', '5'), { exit: 7 })
  expect(dear.stderr).toContain('above the limit')
  await told.dray('tasks evidence', { exit: 2 })
})

acceptanceTest(
  'on a terminal it asks what the type asks, shows the price, and the pictures where they can be drawn',
  async (told) => {
    const terminal = told.terminal('tasks create', { columns: 90, rows: 40 })
    await terminal.shows('Task address?')
    terminal.type('spitalfields\r')
    await terminal.shows('What is to be done?')
    terminal.type('\x1b[B\x1b[B\x1b[B\x1b[B\r')
    await terminal.shows('Which meter')
    terminal.type('\r')
    await terminal.shows('serial number')
    terminal.type('no\r')
    await terminal.shows('4 to 20 capitals')
    terminal.type('\x7f\x7fAB-1234\r')
    await terminal.shows('Where it is')
    terminal.type('\r')
    await terminal.shows(/Total +£10\.00/)
    await terminal.shows('Create this task')
    terminal.type('y\r')
    expect((await terminal.ended()).exitCode).toBe(0)
    expect(terminal.transcript()).toContain('--require meter=gas')
    await told.advance('1h')

    const drawn = told.terminal('tasks evidence', { env: { TERM_PROGRAM: 'iTerm.app' } })
    await drawn.ended()
    expect(drawn.raw().split('\x1b]1337;File=inline=1')).toHaveLength(3)
    const plain = told.terminal('tasks evidence --show never', { env: { TERM_PROGRAM: 'iTerm.app' } })
    await plain.ended()
    expect(plain.raw()).not.toContain('1337')
    const kitty = told.terminal('tasks evidence --show kitty')
    await kitty.ended()
    expect(kitty.raw()).toContain('\x1b_Ga=T,f=100')
  },
)
