/** Files as people really have them, by every way in which they are uploaded, each with the parcels that it makes. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Target } from '../../../src/client/client.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import * as registry from '../../../src/generated/registry.ts'
import type { UploadAnswer } from '../../../src/server/pages/upload/shown.ts'
import { addServedAccount } from '../../support/add-account.ts'
import { CASE_FILES, type CaseFile, FILE_CASES, type ParcelFacts } from '../../support/case-files.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { visit } from '../../support/page-links.ts'
import { remoteIn } from '../../support/remote-client.ts'
import { runCommand } from '../../support/run-command.ts'
import { type ServedStore, serveStore } from '../../support/served.ts'
import { typeAnswer } from '../../support/typing.ts'

type Reason = { code: string; errors: { column: string; detail: string }[] }
type Document = { data: { row: number; reference: string; result: string; reason: Reason | null }[] }
type Parcel = {
  reference: string
  recipient: {
    contact: { name: string; phone?: string }
    company?: string
    address: Record<string, string | undefined>
  }
  parcel: Record<string, unknown>
  options: Record<string, unknown>
  service_level: string
}

/** The fate of a file. */
type UploadedFileOutcome = {
  code: number
  rows: readonly { row: number; reference: string | null; result: string }[]
  /** The first fault of each row. */
  faults: Readonly<Record<number, readonly [column: string, detail: string]>>
  skippedOrders: Readonly<Record<string, string>>
  said: string
  /** The reason why the file was not read as a whole. */
  whole: string | undefined
  parcels: readonly Parcel[]
}

let served: ServedStore
beforeAll(async () => {
  served = await serveStore({ registry })
})

type Open = (target: Target) => Promise<Client>

/** Uploads as a script does, and reads the parcels back from the service. */
async function byCommand(
  home: Home,
  open: Open,
  name: string,
  flags: readonly string[],
): Promise<UploadedFileOutcome> {
  const path = join(home.cwd, name)
  copyFileSync(join(CASE_FILES, name), path)
  let target: Target | undefined
  const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', ...flags], {
    openClient: (wanted) => open((target = wanted)),
  })
  const client = target && (await open(target))
  const listed = await client?.call('list_shipments', { limit: 100 })
  await client?.close()
  const rows = ran.error === undefined ? (ran.json() as Document).data : []
  return {
    code: ran.code,
    rows,
    faults: Object.fromEntries(
      rows.flatMap(({ row, reason }) =>
        (reason?.errors.slice(0, 1) ?? []).map(({ column, detail }) => [row, [column, detail] as const]),
      ),
    ),
    skippedOrders: Object.fromEntries(
      rows.flatMap(({ reference, result, reason }) =>
        result === 'skipped' ? [[reference, reason?.code ?? '']] : [],
      ),
    ),
    said: ran.err,
    whole: ran.error?.message,
    parcels: (listed?.value.data ?? []) as unknown as Parcel[],
  }
}

async function embedded(name: string, flags: readonly string[]): Promise<UploadedFileOutcome> {
  using home = makeHome()
  return await byCommand(home, embeddedIn(home), name, flags)
}

async function remote(name: string, flags: readonly string[]): Promise<UploadedFileOutcome> {
  const account = await addServedAccount(served, { carrier: true })
  using home = makeHome({ DRAY_BASE_URL: served.url, DRAY_TOKEN: await served.token(account) })
  return await byCommand(home, remoteIn(home), name, flags)
}

/** Drops the file on the page of parcels, and confirms what it shows. */
async function page(name: string, flags: readonly string[]): Promise<UploadedFileOutcome> {
  const account = await addServedAccount(served, { carrier: true })
  const { cookie, call } = await visit(served, account, { page: 'parcels' })
  const settled = flags.flatMap((flag, at) => (at % 2 === 0 ? [{ flag, value: flags[at + 1] }] : []))
  const post = async (wish: object, headers: Record<string, string> = {}): Promise<UploadAnswer> => {
    const answer = await fetch(`${served.url}/pages/upload`, {
      method: 'POST',
      headers: {
        cookie,
        origin: served.url,
        'dray-page': 'parcels',
        'dray-upload': encodeURIComponent(JSON.stringify({ name, settled, ...wish })),
        ...headers,
      },
      body: readFileSync(join(CASE_FILES, name)),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as UploadAnswer
  }
  const planned = await post({})
  const said = planned.notes.map(({ text }) => text).join('\n')
  if (planned.state !== 'planned') {
    if (planned.state === 'sent') throw new Error('nothing was confirmed')
    const whole = planned.state === 'question' ? planned.choices?.join(', ') : planned.message
    return { code: 2, rows: [], faults: {}, skippedOrders: {}, said, whole, parcels: [] }
  }
  const { counts, plan, skipped: groups } = planned
  const sent = counts.created === 0 ? planned : await post({ plan }, { 'idempotency-key': `page-${name}` })
  if (!('rows' in sent)) throw new Error(JSON.stringify(sent))
  const listed = (await (await call('list_shipments', { limit: 100 })).json()) as { data: Parcel[] }
  const { created, duplicate, rejected } = sent.counts
  return {
    code: rejected === 0 ? 0 : created + duplicate > 0 || groups.length > 0 ? 9 : 6,
    rows: sent.rows,
    faults: Object.fromEntries(
      sent.faults.toReversed().map(({ row, column, text }) => [row, [column, text] as const]),
    ),
    skippedOrders: Object.fromEntries(
      groups.flatMap(({ reason, text }) =>
        text
          .replace(/^.*?: /, '')
          .split(', ')
          .map((reference) => [reference, reason]),
      ),
    ),
    said,
    whole: undefined,
    parcels: listed.data,
  }
}

const money = (value: unknown): string | undefined => {
  const { amount, currency } = (value ?? {}) as { amount?: number; currency?: string }
  return amount === undefined ? undefined : `${amount} ${currency}`
}

function factsOf({ recipient, parcel, options, service_level }: Parcel): ParcelFacts {
  const { contact, company, address } = recipient
  const text = (value: unknown): string | undefined =>
    value === null ? undefined : (value as string | undefined)
  return {
    to: [contact.name, address['line1'], address['line2'], address['city'], address['postal_code']]
      .filter((part) => part !== undefined && part !== '')
      .join(' / '),
    company: text(company),
    country: address['country_code'] ?? '',
    phone: text(contact.phone),
    grams: parcel['weight_grams'] as number,
    mm: [parcel['length_mm'], parcel['width_mm'], parcel['height_mm']].join('x'),
    service: service_level,
    description: text(parcel['description']),
    contents: text(parcel['contents_type']),
    value: money(parcel['declared_value']),
    cash: money(options['cash_on_delivery']),
    notBefore: text(options['not_before_date']),
    signature: options['signature_required'] as boolean,
    safePlace: text(options['leave_safe_place']),
    notes: text(address['access_notes']),
  }
}

const pick = (facts: ParcelFacts, wanted: Partial<ParcelFacts>): Partial<ParcelFacts> =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, facts[name as keyof ParcelFacts]]))

/** The fate of a file, in the words of the table: only the facts that it names. */
function inWords(told: UploadedFileOutcome, { made = {}, refused = {}, said = [], whole }: CaseFile) {
  const rowsWith = (result: string): number[] =>
    told.rows.flatMap((row) => (row.result === result ? row.row : [])).toSorted((a, b) => a - b)
  return {
    code: told.code,
    made: Object.fromEntries(
      told.parcels.map((parcel) => {
        const wanted = made[parcel.reference] ?? {}
        const facts = factsOf(parcel)
        return [parcel.reference, typeof wanted === 'string' ? facts.to : pick(facts, wanted)]
      }),
    ),
    refused: Object.fromEntries(
      Object.entries(told.faults).map(([row, [column, detail]]) => {
        const part = refused[Number(row)]?.[1] ?? ''
        return [row, [column, part !== '' && detail.includes(part) ? part : detail]]
      }),
    ),
    rejected: rowsWith('rejected'),
    repeats: rowsWith('duplicate'),
    skippedOrders: told.skippedOrders,
    said: said.filter((part) => told.said.includes(part)),
    whole: whole !== undefined && told.whole?.includes(whole) === true ? whole : told.whole,
  }
}

describe.each([
  ['the command, in its own store', embedded],
  ['the command, over HTTP', remote],
  ['the page of parcels', page],
])('by %s', (_, upload) => {
  test.each(Object.entries(FILE_CASES))('%s', async (name, wanted) => {
    const [file = ''] = name.split(' ')
    const { code, made = {}, refused = {}, skippedOrders = {}, repeats = [], said = [], whole } = wanted
    expect(inWords(await upload(file, wanted.flags ?? []), wanted)).toEqual({
      code,
      made,
      refused: Object.fromEntries(Object.entries(refused).map(([row, fault]) => [row, [...fault]])),
      rejected: Object.keys(refused).map(Number),
      repeats,
      skippedOrders,
      said,
      whole,
    })
  })
})

describe('the sheet of one customer among several', () => {
  const HEAD = 'ref,name,address,town,postcode,weight,dims,service'

  async function uploadRows(rows: string[], ...flags: string[]) {
    using home = makeHome()
    const path = join(home.cwd, 'sheet.csv')
    writeFileSync(path, [HEAD, ...rows].join('\n'))
    const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', ...flags], {
      openClient: embeddedIn(home),
    })
    const again = await runCommand(home, carrierUpload, [path, '--dry-run', '--json', '--use-map', 'gc'], {
      openClient: embeddedIn(home),
    })
    return { ...ran, again }
  }

  test('has references of its own, and words for services that a saved map keeps', async () => {
    const ran = await uploadRows(
      [
        '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,Y',
        '2,Otis,2 Lamb Street,London,E1 6EA,500 g,20x15x5cm,N',
      ],
      '--reference-prefix',
      'GC-',
      '--map-value',
      'service_level:y=next_day',
      '--map-value',
      'service:N=economy',
      '--save-map',
      'gc',
    )
    expect(ran.error).toBeUndefined()
    const rows = (ran.json() as Document).data
    expect(rows.map(({ reference, result }) => [reference, result])).toEqual([
      ['GC-1', 'created'],
      ['GC-2', 'created'],
    ])
    expect((ran.again.json() as Document).data.map(({ result }) => result)).toEqual(['created', 'created'])
  })

  test('a word that has no value is rejected, and so is a value without a column', async () => {
    const row = '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,Y'
    expect((await uploadRows([row])).code).toBe(6)
    expect((await uploadRows([row], '--map-value', 'Y=next_day')).error?.message).toContain(
      'not of the form column:word=value',
    )
    expect((await uploadRows([row], '--map-value', 'colour:Y=red')).error?.message).toContain('colour')
  })

  test('parcels that their service does not reach go by another one, and it is said', async () => {
    const rows = [
      '1,Fern,1 Lamb Street,London,E1 6EA,500 g,20x15x5cm,same_day',
      '2,Otis,1 Shore Road,Kirkwall,KW15 1LE,500 g,20x15x5cm,same_day',
    ]
    const strict = await uploadRows(rows)
    expect(strict.code).toBe(9)
    const ran = await uploadRows(rows, '--fallback-service', 'next_day')
    expect((ran.json() as Document).data.map(({ result }) => result)).toEqual(['created', 'created'])
    expect(ran.err).toContain(
      '1 parcel will go by next_day, because their own service does not reach them: 2.',
    )
  })
})

test('the street is seen before the user confirms', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'addr3.csv')
  copyFileSync(join(CASE_FILES, 'addr3.csv'), path)
  const io = memoryIo({ tty: true, columns: 160 })
  const running = runCommand(home, carrierUpload, [path], { openClient: embeddedIn(home), io })
  await expect.poll(() => io.asked()).toContain('Create 2 parcels')
  io.type('n\n')
  await running
  expect(io.err()).toContain('Unit 4, Mill Yard, 12 Lamb Street')
})

describe('"Express" and "Standard" of a shop', () => {
  const HEADER =
    'Name,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Country,Shipping Method'
  const SIZES = ['--default', 'weight_grams=500', '--default', 'dimensions=20x15x5cm']

  async function upload(
    words: readonly string[],
    flags: readonly string[] = ['--yes', '--json'],
    io?: MemoryIo,
  ) {
    using home = makeHome()
    const rows = words.map((word, at) => `#${at},Fern,1 Lamb Street,London,E1 6EA,GB,${word}`)
    writeFileSync(join(home.cwd, 'orders.csv'), [HEADER, ...rows].join('\n'))
    const path = join(home.cwd, 'orders.csv')
    let target: Target | undefined
    const open = embeddedIn(home)
    const ran = await runCommand(home, carrierUpload, [path, ...SIZES, ...flags], {
      openClient: (wanted) => open((target = wanted)),
      ...(io !== undefined && { io }),
    })
    const client = target && (await open(target))
    const listed = await client?.call('list_shipments', { limit: 100 })
    await client?.close()
    const levels = (listed?.value.data ?? []).map(({ reference, service_level }) => [
      reference,
      service_level,
    ])
    return { ...ran, levels: Object.fromEntries(levels) as Record<string, string> }
  }

  test('are rejected in a script, with the flags that say what they stand for', async () => {
    const ran = await upload(['Express', 'Standard', 'Next Day'])
    expect([ran.code, ran.levels]).toEqual([9, { '#2': 'next_day' }])
    expect(ran.err).toContain('"Express" (1), "Standard" (1); these rows are not sent. Say what a word')
  })

  test.each([
    [
      ['--map-value', 'service_level:Standard=economy', '--map-value', 'service_level:Express=next_day'],
      'next_day',
    ],
    [['--service', 'economy'], 'economy'],
  ])('go as %j says', async (flags, express) => {
    const ran = await upload(['Express', 'Standard'], [...flags, '--yes', '--json'])
    expect([ran.code, ran.levels]).toEqual([0, { '#0': express, '#1': 'economy' }])
  })

  test('are asked about at a terminal, and the plan names service, count and price of each', async () => {
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = upload(['Express', 'Standard', 'Standard'], ['--accessible'], io)
    await typeAnswer(io, '"Express" (1 parcel) is no service level. Send by', '1')
    await typeAnswer(io, '"Standard" (2 parcels) is no service level. Send by', '1')
    await typeAnswer(io, 'Create 3 parcels', 'y')
    const ran = await running
    expect(ran.err).toMatch(/next_day +1 +£[\s\S]*economy +2 +£/)
    expect(ran.levels).toEqual({ '#0': 'next_day', '#1': 'economy', '#2': 'economy' })
  })

  test('one and the same word for all goes by the default level, which is named', async () => {
    const ran = await upload(['Flat rate', 'Flat rate'])
    expect([ran.code, ran.levels]).toEqual([0, { '#0': 'next_day', '#1': 'next_day' }])
    expect(ran.err).toContain('"Flat rate" (2); these parcels go by next_day, which --service changes.')
  })

  test.each([
    ['DPD Next Day', 'next_day'],
    ['Royal Mail Tracked 48', 'two_day'],
    ['Free Shipping (3-5 days)', 'economy'],
  ])('%s names its level', async (word, level) => {
    expect((await upload([word, 'Next Day'])).levels['#0']).toBe(level)
  })

  test.each(['Next Day before 10am', 'Delivery in 2-3 days', 'Next Day or 48h'])(
    '%s names none',
    async (word) => {
      expect((await upload([word, 'Next Day'])).levels).toEqual({ '#1': 'next_day' })
    },
  )
})
