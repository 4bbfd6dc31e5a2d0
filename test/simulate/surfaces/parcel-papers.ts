/** A parcel on papers and in rows of many parcels: its label, the invoice, the carrier's report, the manifest of its driver. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { installProgram } from '../../support/debian.ts'
import { type Facts, stripColours, toMinorUnits } from './facts.ts'
import { findCsvRow, runPiped } from './reading.ts'
import { decodeHtml } from './receipts.ts'
import type { Subject, Surface } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

const execute = promisify(execFile)

/** The months of a story. */
export const MONTHS = ['2026-11', '2026-12'] as const
/** An invoice or a report of a month that has not begun is rejected. */
const NOT_BEGUN = [2, 6]

/** Returns what a command about a month prints; undefined for a month that has not begun. */
export async function runOfMonth(
  world: SurfaceWorld,
  words: readonly string[],
  tty = false,
): Promise<string | undefined> {
  const { code, out, err } = await world.dray(words, { tty })
  if (code === 0) return out
  if (!NOT_BEGUN.includes(code)) throw new Error(`dray ${words.join(' ')} ended with ${code}: ${err}`)
  return undefined
}

/** Returns what a command writes into a file; undefined where it writes none, as for a cancelled parcel. */
async function readWritten<T>(
  world: SurfaceWorld,
  name: string,
  words: readonly string[],
  read: (file: string) => T,
): Promise<Awaited<T> | undefined> {
  const file = world.path(name)
  await world.dray([...words, file])
  try {
    return existsSync(file) ? await read(file) : undefined
  } finally {
    rmSync(file, { force: true })
  }
}

/** Reads the lines of an invoice, month by month, until one has the parcel. */
function ofInvoice(
  name: string,
  words: readonly string[],
  read: (text: string, subject: Subject) => Facts | undefined,
  tty = false,
): Surface {
  return {
    of: 'parcel',
    name,
    isSlow: false,
    async read(world, subject) {
      for (const month of MONTHS) {
        const text = await runOfMonth(
          world,
          ['carrier', 'invoice', month, ...words, '--as', subject.owner],
          tty,
        )
        const facts = text === undefined ? undefined : read(text, subject)
        if (facts !== undefined) return facts
      }
      return undefined
    },
  }
}

type InvoiceLine = {
  kind: string
  tracking_number: string
  service_level: string
  total: { amount: number }
  vat: { amount: number }
}

/** The line of the parcel itself: a claim and cash are lines of their own. */
const OF_PARCEL = /^(?:parcel|return)$/i

const OF_INVOICE: readonly Surface[] = [
  ofInvoice('a line of the invoice, --json', ['--json'], (text, { id }) => {
    const { lines } = JSON.parse(text) as { lines: InvoiceLine[] }
    const line = lines.find((each) => each.tracking_number === id && OF_PARCEL.test(each.kind))
    return (
      line && {
        state: { service: line.service_level },
        sums: { total: line.total.amount, tax: line.vat.amount },
      }
    )
  }),
  ofInvoice('a line of the invoice as CSV', ['--csv'], (text, { id }) => {
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    const row = rows.find((each) => each['tracking_number'] === id && OF_PARCEL.test(each['kind'] ?? ''))
    return (
      row && {
        state: { service: row['service_level'] },
        sums: { total: toMinorUnits(row['total']), tax: toMinorUnits(row['vat']) },
      }
    )
  }),
  ofInvoice(
    'a line of the invoice on a screen',
    [],
    (screen, { id }) => {
      const line = stripColours(screen)
        .split('\n')
        .find((each) => each.startsWith(`${id} `))
      const [kind = '', ...cells] = line?.split(/ {2,}/).slice(1) ?? []
      if (!OF_PARCEL.test(kind)) return undefined
      return { sums: { total: toMinorUnits(cells.at(-1)), tax: toMinorUnits(cells.at(-2)) } }
    },
    true,
  ),
  ofInvoice('a row of the invoice for a bookkeeper', ['--bookkeeping'], (text, { id }) => {
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    const row = rows.find(
      (each) => each['Reference'] === id && /^(?:Parcel|Return)\b/.test(each['Description'] ?? ''),
    )
    return row && { sums: { total: toMinorUnits(row['Amount']) } }
  }),
]

/** Words of labels and sheets for the service levels. */
const SERVICES: Readonly<Record<string, string>> = {
  'SAME DAY': 'same_day',
  'NEXT DAY': 'next_day',
  'TWO DAY': 'two_day',
  ECONOMY: 'economy',
}
const POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/

/** The texts of a label from the top. */
function readLabel(lines: readonly string[], { id }: Subject): Facts {
  const at = lines.indexOf('DELIVER TO')
  const number = lines.find((line) => line.replaceAll(' ', '') === id)
  if (number === undefined) throw new Error(`the label does not have the number ${id}`)
  const service = lines.find((line) => SERVICES[line] !== undefined)
  return {
    state: { service: service && SERVICES[service] },
    who: { recipient: lines[at + 1] },
    where: { postcode: POSTCODE.exec(lines.slice(at + 1).join('\n'))?.[0] },
  }
}

async function readPaperLines(file: string): Promise<string[]> {
  await installProgram('pdftotext', 'poppler-utils')
  const { stdout } = await execute('pdftotext', ['-raw', file, '-'])
  return stdout.split('\n').map((line) => line.trim())
}

/** The texts that a label printer gets, `^FDNEXT DAY^FS`. */
function readPrinterLines(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\^FD(.*?)\^FS/g)].map(([, text = '']) => text)
}

function ofPaper(
  name: string,
  read: (world: SurfaceWorld, subject: Subject) => Promise<Facts | undefined>,
): Surface {
  return { of: 'parcel', name, isSlow: true, read }
}

const OF_LABEL: readonly Surface[] = [
  ofPaper('the label as PDF', async (world, subject) => {
    const words = ['carrier', 'label', subject.id, '--as', subject.owner, '--out']
    const lines = await readWritten(world, 'label.pdf', words, readPaperLines)
    return lines && readLabel(lines, subject)
  }),
  ofPaper('the label as ZPL', async (world, subject) => {
    const words = ['carrier', 'label', subject.id, '--as', subject.owner, '--out']
    const lines = await readWritten(world, 'label.zpl', words, readPrinterLines)
    return lines && readLabel(lines, subject)
  }),
]

type ListedParcel = {
  manifest_id?: string
  hub_id: string
  status: string
  return_of?: object | null
}

/** Returns the words that show the manifest of a parcel, or the next one that would have it. */
async function findManifest(world: SurfaceWorld, { id, owner }: Subject): Promise<string[] | undefined> {
  const text = await world.get(`/v1/shipments/${id}`, owner)
  if (text === null) return undefined
  const { manifest_id, hub_id } = JSON.parse(text) as ListedParcel
  const which = manifest_id === undefined ? ['--hub', hub_id, '--preview'] : ['--manifest', manifest_id]
  return ['carrier', 'handover', ...which, '--as', owner]
}

function readManifestRow(row: Readonly<Record<string, unknown>> | undefined): Facts | undefined {
  const text = (name: string): string => String(row?.[name])
  return (
    row && {
      state: { service: text('service_level') },
      who: { recipient: text('recipient_name') },
      where: { postcode: text('postal_code') },
    }
  )
}

const OF_MANIFEST: readonly Surface[] = [
  {
    of: 'parcel',
    name: 'the manifest, --json',
    isSlow: false,
    async read(world, subject) {
      const words = await findManifest(world, subject)
      if (words === undefined) return undefined
      const { data } = JSON.parse(await runPiped(world, [...words, '--json'])) as {
        data: Record<string, unknown>[]
      }
      return readManifestRow(data.find((each) => each['tracking_number'] === subject.id))
    },
  },
  {
    of: 'parcel',
    name: 'the manifest as CSV',
    isSlow: false,
    async read(world, subject) {
      const words = await findManifest(world, subject)
      if (words === undefined) return undefined
      const file = [...words, '--format', 'csv', '--out', '-']
      return readManifestRow(findCsvRow(await runPiped(world, file), subject.id))
    },
  },
  ofPaper('the manifest on paper', async (world, subject) => {
    const words = await findManifest(world, subject)
    const lines = words && (await readWritten(world, 'manifest.pdf', [...words, '--out'], readTableLines))
    const line = lines?.find((each) => each.replaceAll(' ', '').includes(subject.id))
    return line === undefined ? undefined : { where: { postcode: POSTCODE.exec(line)?.[0] } }
  }),
]

async function readTableLines(file: string): Promise<string[]> {
  await installProgram('pdftotext', 'poppler-utils')
  const { stdout } = await execute('pdftotext', ['-layout', file, '-'])
  return stdout.split('\n')
}

const DAYS = ['--from', '2026-11-20', '--to', '2026-11-30']

const OF_REPORT: readonly Surface[] = [
  {
    of: 'parcel',
    name: "a row of the carrier's report",
    isSlow: false,
    async read(world, { id, owner }) {
      const words = ['carrier', 'report', ...DAYS, '--parcels', '--csv', '--as', owner]
      const row = findCsvRow(await runPiped(world, words), id)
      return (
        row && {
          state: { own: row['status'], service: row['service_level'] },
          sums: { total: toMinorUnits(row['total']), tax: toMinorUnits(row['vat']) },
          who: { recipient: row['recipient'] },
          where: { postcode: row['postal_code'] },
        }
      )
    },
  },
]

export const PARCEL_PAPERS: readonly Surface[] = [...OF_INVOICE, ...OF_LABEL, ...OF_MANIFEST, ...OF_REPORT]

/** Returns the amount beside a label on a page of a report. */
export function findPageAmount(page: string, label: string): number | undefined {
  const rows = page.matchAll(/<th scope="row">(.*?)<\/th>((?:\s*<td[^>]*>.*?<\/td>)+)/g)
  for (const [, named = '', cells = ''] of rows)
    if (decodeHtml(named) === label)
      return toMinorUnits([...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].at(-1)?.[1] ?? '')
  return undefined
}

/** Returns what a terminal says after a label at the end of its line. */
export function findScreenAmount(screen: string, label: string): number | undefined {
  const line = stripColours(screen)
    .split('\n')
    .find((each) => each.startsWith(`${label} `))
  return toMinorUnits(/(-?£[\d,.]+)$/.exec(line ?? '')?.[1])
}
