/** The month of a sender: its parcels and its invoice, as a whole and as the sum of the parts that a filter makes of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { type Facts, toMinorUnits } from './facts.ts'
import { findPageAmount, findScreenAmount, MONTHS, runOfMonth } from './parcel-papers.ts'
import { runPiped } from './reading.ts'
import type { Subject, Surface } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

/** The customers for whom parcels are sent in stories. */
export const CUSTOMERS_OF_SENDERS = ['Green Cup', 'Red Cup & Sons'] as const
/** The filters that part all parcels of a sender. */
const CUSTOMER_FILTERS = [...CUSTOMERS_OF_SENDERS.map((name) => ['--customer', name]), ['--without-customer']]
const STATUSES = [
  'pre_transit',
  'in_transit',
  'out_for_delivery',
  'delivery_attempted',
  'available_for_pickup',
  'delivered',
  'returning',
  'returned',
  'lost',
  'cancelled',
]
const SERVICES = ['same_day', 'next_day', 'two_day', 'economy']
/** Days that part a month. */
const PARTS = ['01', '20', '21', '22', '24']

type Amount = { amount: number }
type Line = { kind: string; tracking_number: string; at: string; vat: Amount; total: Amount }
type Invoice = {
  from: string
  to: string
  kinds: readonly { kind: string; lines: number; vat: Amount; total: Amount }[]
  vat: readonly { vat: Amount }[]
  billed: Amount
  due: Amount
  lines?: readonly Line[]
}

function addUp(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** The sums that an invoice states. */
function readSums({ kinds, vat, billed, due }: Invoice): Facts {
  return {
    sums: {
      lines: addUp(kinds.map(({ lines }) => lines)),
      vat: addUp(vat.map((each) => each.vat.amount)),
      billed: billed.amount,
      due: due.amount,
    },
  }
}

/** The sums that its lines make. Each charge stands in one line. */
function readLines(lines: readonly Line[]): Facts {
  const charges = lines.filter(({ kind }) => kind !== 'cash')
  return {
    sums: {
      lines: new Set(lines.map(nameLine)).size,
      vat: addUp(charges.map(({ vat }) => vat.amount)),
      billed: addUp(charges.map(({ total }) => total.amount)),
      due: addUp(lines.map(({ total }) => total.amount)),
    },
  }
}

/** A claim has a line for the price and one for the value. */
function nameLine({ kind, tracking_number, at, vat, total }: Line): string {
  return [kind, tracking_number, at, vat.amount, total.amount].join(' ')
}

/** Returns facts whose sums are those of all parts; undefined where one part is missing. */
function addFacts(parts: readonly (Facts | undefined)[]): Facts | undefined {
  const [first] = parts
  if (first === undefined || parts.includes(undefined)) return undefined
  const names = Object.keys(first.sums ?? {})
  return {
    sums: Object.fromEntries(
      names.map((name) => [name, addUp(parts.map((part) => part?.sums?.[name] ?? 0))]),
    ),
  }
}

function ofMonth(
  name: string,
  read: (world: SurfaceWorld, subject: Subject) => Promise<Facts | undefined>,
): Surface {
  return { of: 'month', name, isSlow: false, read }
}

function ofInvoice(
  name: string,
  words: readonly string[],
  read: (text: string) => Facts,
  tty = false,
): Surface {
  return ofMonth(name, async (world, { id, owner }) => {
    const text = await runOfMonth(world, ['carrier', 'invoice', id, ...words, '--as', owner], tty)
    return text === undefined ? undefined : read(text)
  })
}

const OF_INVOICE: readonly Surface[] = [
  ofInvoice('carrier invoice --json', ['--json'], (text) => readSums(JSON.parse(text) as Invoice)),
  ofInvoice('the lines of an invoice', ['--json'], (text) =>
    readLines((JSON.parse(text) as Invoice).lines ?? []),
  ),
  ofInvoice('carrier invoice --csv', ['--csv'], (text) => {
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    const money = (value: string | undefined): Amount => ({ amount: toMinorUnits(value) ?? Number.NaN })
    return readLines(
      rows.map(({ kind = '', tracking_number = '', at = '', vat, total }) => ({
        kind,
        tracking_number,
        at,
        vat: money(vat),
        total: money(total),
      })),
    )
  }),
  ofInvoice(
    'carrier invoice on a screen',
    [],
    (screen) => ({ sums: { due: findScreenAmount(screen, 'To pay') } }),
    true,
  ),
  ofInvoice('carrier invoice --bookkeeping', ['--bookkeeping'], (text) => {
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    const due = addUp(rows.map(({ Amount: amount }) => toMinorUnits(amount) ?? Number.NaN))
    return { sums: { lines: rows.length, due } }
  }),
  ofMonth('carrier invoice --html', async (world, { id, owner }) => {
    const file = world.path('invoice.html')
    await runOfMonth(world, ['carrier', 'invoice', id, '--html', file, '--as', owner])
    if (!existsSync(file)) return undefined
    const page = readFileSync(file, 'utf8')
    rmSync(file)
    return { sums: { due: findPageAmount(page, 'To pay') } }
  }),
  ofMonth('the tool get_carrier_invoice', async ({ tool }, { id, owner }) => {
    const text = await tool('get_carrier_invoice', { month: id }, owner)
    return text === null ? undefined : readSums(JSON.parse(text) as Invoice)
  }),
  ofMonth('the invoices of all customers', async (world, { id, owner }) => {
    const parts: (Facts | undefined)[] = []
    for (const filter of CUSTOMER_FILTERS) {
      const words = ['carrier', 'invoice', id, ...filter, '--json', '--as', owner]
      const text = await runOfMonth(world, words)
      parts.push(text === undefined ? undefined : readSums(JSON.parse(text) as Invoice))
    }
    return addFacts(parts)
  }),
  ofMonth('the parts of the month', async (world, { id, owner }) => {
    const whole = await world.get(`/v1/invoices/${id}?lines=false`, owner)
    if (whole === null) return undefined
    const { from, to } = JSON.parse(whole) as Invoice
    const begins = [from, ...PARTS.slice(1).map((day) => `${id}-${day}T00:00:00Z`), to]
    const parts: (Facts | undefined)[] = []
    for (const [at, begin] of begins.slice(0, -1).entries()) {
      const stretch = `from=${encodeURIComponent(begin)}&to=${encodeURIComponent(begins[at + 1] ?? '')}`
      const text = await world.get(`/v1/invoices/${id}?lines=false&${stretch}`, owner)
      parts.push(text === null ? undefined : readSums(JSON.parse(text) as Invoice))
    }
    return addFacts(parts)
  }),
]

type Report = {
  current: {
    created: { parcels: number; total: Amount; by_status: Counts; by_service: Counts; by_hub: Counts }
  }
  billed: { kinds: readonly { parcels: number }[]; due: Amount } | null
}
type Counts = readonly { parcels: number; total?: Amount }[]

async function readReport(
  world: SurfaceWorld,
  { id, owner }: Subject,
  ...filter: readonly string[]
): Promise<Report | undefined> {
  const days = ['--from', `${id}-01`, '--to', `${id}-30`]
  const words = ['carrier', 'report', ...days, ...filter, '--json', '--as', owner]
  const text = await runOfMonth(world, words)
  return text === undefined ? undefined : (JSON.parse(text) as Report)
}

function readReported({ current, billed }: Report): Facts {
  return {
    sums: {
      parcels: current.created.parcels,
      price: current.created.total.amount,
      lines: billed === null ? undefined : addUp(billed.kinds.map(({ parcels }) => parcels)),
      due: billed?.due.amount,
    },
  }
}

const OF_REPORT: readonly Surface[] = [
  ofMonth('carrier report --json', async (world, subject) => {
    const report = await readReport(world, subject)
    return report && readReported(report)
  }),
  ofMonth('the reports of all customers', async (world, subject) => {
    const reports: (Facts | undefined)[] = []
    for (const filter of CUSTOMER_FILTERS) {
      const report = await readReport(world, subject, ...filter)
      reports.push(report && readReported(report))
    }
    return addFacts(reports)
  }),
  ...(['by_status', 'by_service', 'by_hub'] as const).map((parts) =>
    ofMonth(`the report ${parts}`, async (world, subject) => {
      const counts = (await readReport(world, subject))?.current.created[parts]
      return counts && { sums: { parcels: addUp(counts.map(({ parcels }) => parcels)) } }
    }),
  ),
]

type ListedParcel = { price?: { total: Amount }; total?: Amount }

/** Returns the flags of a list of the parcels that were made from one day to another. */
function createdWithin(from: string, to: string): string[] {
  return ['--created-from', from, '--created-to', to]
}

/** The filters of a list of parcels whose parts are the whole. */
const PARTITIONS: readonly (readonly [name: string, filters: readonly (readonly string[])[]])[] = [
  ['as a whole', [[]]],
  ['by customer', CUSTOMER_FILTERS],
  ['by service', SERVICES.map((service) => ['--service', service])],
  ['by status', STATUSES.map((status) => ['--status', status])],
]

const OF_LISTS: readonly Surface[] = [
  ...PARTITIONS.map(([name, filters]) =>
    ofMonth(`the list of parcels ${name}`, async (world, subject) => {
      const month = createdWithin(`${subject.id}-01`, monthAfter(subject.id))
      return listParcels(
        world,
        subject,
        filters.map((filter) => [...filter, ...month]),
      )
    }),
  ),
  ofMonth('the list of parcels by day', async (world, subject) => {
    const begins = [...PARTS.map((day) => `${subject.id}-${day}`), monthAfter(subject.id)]
    const stretches = begins.slice(0, -1).map((begin, at) => createdWithin(begin, begins[at + 1] ?? ''))
    return listParcels(world, subject, stretches)
  }),
]

/** Returns the first day of the next month. */
function monthAfter(month: string): string {
  return month === '2026-12' ? '2027-01-01' : '2026-12-01'
}

async function listParcels(
  world: SurfaceWorld,
  { owner }: Subject,
  filters: readonly (readonly string[])[],
): Promise<Facts> {
  const found: ListedParcel[] = []
  for (const filter of filters) {
    const words = ['carrier', 'list', ...filter, '--all', '--json', '--as', owner]
    found.push(...(JSON.parse(await runPiped(world, words)) as { data: ListedParcel[] }).data)
  }
  return {
    sums: {
      parcels: found.length,
      price: addUp(found.map(({ price, total }) => (price?.total ?? total)?.amount ?? Number.NaN)),
    },
  }
}

export const MONTH_SURFACES: readonly Surface[] = [...OF_INVOICE, ...OF_REPORT, ...OF_LISTS]

/** Returns the months of the senders of a story. */
export function listMonthSubjects(made: readonly Subject[]): Subject[] {
  const senders = new Set(made.filter(({ kind }) => kind === 'parcel').map(({ owner }) => owner))
  return [...senders].flatMap((owner) =>
    MONTHS.map((id): Subject => {
      const name = `the parcels of ${owner} in ${id}`
      return { kind: 'month', name, id, number: '', owner, keeper: owner, store: '' }
    }),
  )
}
