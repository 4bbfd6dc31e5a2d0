/** The documents of closed days: each form of one, and all of them beside the statement of the same days. */
import { type Facts, readLabelledValues, readTabbedRows, stripColours, toMinorUnits } from './facts.ts'
import { membersOf, nestPaths } from './paths.ts'
import { findTableRow, type ResourceDocument, runAtTerminal, runPiped } from './reading.ts'
import { findStoreId } from './store-id.ts'
import type { Subject, Surface } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

type Amount = { amount: number }
type Late = { net_sales: Amount; vat: Amount; captured: Amount; refunded: Amount; payouts: Amount }
type Sums = {
  net_sales: Amount
  vat: readonly { vat: Amount }[]
  payments: readonly { captured: Amount; refunded: Amount }[]
  payouts: Amount
}
type Statement = Sums & { counted_later: Late; from_earlier: Late }
type DayDocument = { number: number; date: string; statement: Sums }

const LATE_SUMS = ['net_sales', 'vat', 'captured', 'refunded', 'payouts'] as const

function addUp(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

type LateSums = Record<(typeof LATE_SUMS)[number], number>

function sumsOf({ net_sales, vat, payments, payouts }: Sums): LateSums {
  return {
    net_sales: net_sales.amount,
    vat: addUp(vat.map((each) => each.vat.amount)),
    captured: addUp(payments.map(({ captured }) => captured.amount)),
    refunded: addUp(payments.map(({ refunded }) => refunded.amount)),
    payouts: payouts.amount,
  }
}

/** The names of the facts of a day, by those of its document. */
function toFacts(sums: LateSums): Facts {
  const { net_sales: netSales, vat, captured, refunded, payouts } = sums
  return { sums: { netSales, vat, captured, refunded, payouts } }
}

function ofKeeper({ store, keeper }: Subject, ...words: readonly string[]): string[] {
  return ['business', ...words, '--merchant', store, '--as', keeper]
}

async function listDocuments(world: SurfaceWorld, subject: Subject): Promise<DayDocument[]> {
  const words = ofKeeper(subject, 'day', 'list', '--all', '--json')
  const { data } = JSON.parse(await runPiped(world, words)) as { data: DayDocument[] }
  return data.toReversed()
}

async function readStatement(
  world: SurfaceWorld,
  subject: Subject,
  from: string,
  to: string,
): Promise<Statement> {
  const words = ofKeeper(subject, 'statement', '--from', from, '--to', to, '--json')
  return JSON.parse(await runPiped(world, words)) as Statement
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}

/** The sums of documents as the statement of their days counts them: with what they left to a later one, and without what they took. */
function toStatementSums(
  documents: readonly DayDocument[],
  { counted_later, from_earlier }: Statement,
): Facts {
  const all = documents.map(({ statement }) => sumsOf(statement))
  const sum = (name: (typeof LATE_SUMS)[number]): number =>
    addUp(all.map((each) => each[name])) + counted_later[name].amount - from_earlier[name].amount
  return toFacts(Object.fromEntries(LATE_SUMS.map((name) => [name, sum(name)])) as LateSums)
}

/** The facts of one document, in any form of it. They have names of their own: a statement counts other entries. */
function readDocument(document: ResourceDocument): Facts {
  const { first, text } = membersOf(document)
  const money = (path: string) => toMinorUnits(first(path))
  return {
    state: { document: String(first('number')), hash: text('hash') },
    sums: {
      documentNetSales: money('statement.net_sales'),
      documentDue: money('statement.due'),
      documentCash: money('cash.expected'),
    },
  }
}

function ofDocument(
  name: string,
  read: (world: SurfaceWorld, subject: Subject, number: string) => Promise<Facts | undefined>,
): Surface {
  return {
    of: 'day',
    name,
    isSlow: false,
    async read(world, subject) {
      const found = (await listDocuments(world, subject)).find(({ date }) => date === subject.id)
      return found && read(world, subject, String(found.number))
    },
  }
}

const OF_DAY: readonly Surface[] = [
  ofDocument('business day list --json', async (world, subject) => {
    const documents = await listDocuments(world, subject)
    const found = documents.find(({ date }) => date === subject.id)
    return found && readDocument(found)
  }),
  ofDocument('business day show --json', async (world, subject, number) =>
    readDocument(JSON.parse(await runPiped(world, ofKeeper(subject, 'day', 'show', number, '--json')))),
  ),
  ofDocument('business day show in a pipe', async (world, subject, number) => {
    const text = await runPiped(world, ofKeeper(subject, 'day', 'show', number))
    return readDocument(nestPaths(readLabelledValues(text, '\t')))
  }),
  ofDocument('business day show', async (world, subject, number) => {
    const text = await runAtTerminal(world, ofKeeper(subject, 'day', 'show', number))
    const said = readLabelledValues(stripColours(text), '  ')
    return {
      state: { document: said['No.'] },
      sums: { documentNetSales: toMinorUnits(said['Net sales']), documentCash: toMinorUnits(said['Cash']) },
    }
  }),
  ofDocument('business day list in a pipe', async (world, subject) => {
    const rows = readTabbedRows(await runPiped(world, ofKeeper(subject, 'day', 'list', '--all')))
    const row = rows.find((each) => each['date'] === subject.id)
    return row && readDocument(nestPaths(row))
  }),
  ofDocument('business day list', async (world, subject) => {
    const words = ofKeeper(subject, 'day', 'list', '--limit', '100')
    const cell = findTableRow(await runAtTerminal(world, words), subject)
    return (
      cell && {
        state: { document: cell('No.') },
        sums: { documentNetSales: toMinorUnits(cell('Net sales')), documentCash: toMinorUnits(cell('Cash')) },
      }
    )
  }),
  ofDocument('the tool get_business_day', async (world, subject, number) => {
    const input = { number: Number(number), merchant_id: await findStoreId(world, subject) }
    const text = await world.tool('get_business_day', input, subject.keeper)
    return text === null ? undefined : readDocument(JSON.parse(text) as ResourceDocument)
  }),
  ofDocument('the document of a day', async (world, subject) => {
    const documents = await listDocuments(world, subject)
    const at = documents.findIndex(({ date }) => date === subject.id)
    // The first document has all that came before it, too.
    if (at < 1) return undefined
    const statement = await readStatement(world, subject, subject.id, nextDay(subject.id))
    return toStatementSums(documents.slice(at, at + 1), statement)
  }),
]

/** The day on which no store of a story had sold anything. */
const BEFORE_ALL = '2026-11-01'

const OF_ALL_DAYS: readonly Surface[] = [
  {
    of: 'days',
    name: 'the documents of all closed days',
    isSlow: false,
    async read(world, subject) {
      const documents = await listDocuments(world, subject)
      const last = documents.at(-1)
      if (last === undefined) return undefined
      const statement = await readStatement(world, subject, BEFORE_ALL, nextDay(last.date))
      return renameSums(toStatementSums(documents, statement))
    },
  },
  {
    of: 'days',
    name: 'the statement of all closed days',
    isSlow: false,
    async read(world, subject) {
      const last = (await listDocuments(world, subject)).at(-1)
      if (last === undefined) return undefined
      return renameSums(toFacts(sumsOf(await readStatement(world, subject, BEFORE_ALL, nextDay(last.date)))))
    },
  },
]

/** The sums of closed days are others than those of all days. */
function renameSums({ sums = {} }: Facts): Facts {
  return { sums: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [`closed_${name}`, sum])) }
}

type Entry = { amount: Amount; business_day: string }

/** Returns the changes of what the platform owes a store, page by page. */
async function listEntries(
  { get }: SurfaceWorld,
  { keeper }: Subject,
  query: Readonly<Record<string, string>>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | undefined
  do {
    const asked = new URLSearchParams({ ...query, limit: '100', ...(cursor !== undefined && { cursor }) })
    const text = await get(`/v1/business/statement/entries?${asked}`, keeper)
    if (text === null) throw new Error('the entries of a statement cannot be read')
    const page = JSON.parse(text) as { data: Entry[]; next_cursor: string | null }
    entries.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return entries
}

const OF_ENTRIES: readonly Surface[] = [
  {
    of: 'day',
    name: 'the entries of a statement',
    isSlow: false,
    async read(world, subject) {
      const merchant_id = await findStoreId(world, subject)
      const from = subject.id
      const entries = await listEntries(world, subject, { merchant_id, from, to: nextDay(from) })
      const others = entries.filter(({ business_day }) => business_day !== subject.id)
      if (others.length > 0) throw new Error(`an entry of ${from} stands at ${others[0]?.business_day}`)
      return { sums: { earned: addUp(entries.map(({ amount }) => amount.amount)) } }
    },
  },
]

export const DAY_DOCUMENTS: readonly Surface[] = [...OF_DAY, ...OF_ALL_DAYS, ...OF_ENTRIES]
