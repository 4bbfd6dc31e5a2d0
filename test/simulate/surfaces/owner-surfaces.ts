/** The surfaces that every resource has for the account that bought it: one declaration makes all of them. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type Facts, readLabelledValues, toMinorUnits, readTabbedRows, stripColours } from './facts.ts'
import {
  type ReadDocument,
  findTableRow,
  readDocumentFacts,
  readCsvRowFacts,
  readListedFacts,
  readPipedFacts,
  readPipedRowFacts,
  runAtTerminal,
  runPiped,
} from './reading.ts'
import { type BillRow, readBill, readPaperRows, readReceiptPage } from './receipts.ts'
import type { Subject, SubjectKind, Surface } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

/** The names of the surfaces of one kind of resource, and the reader of each. */
export type OwnedKind = {
  of: SubjectKind
  /** The words of its commands: `food` for `dray food show`. */
  group: string
  /** The paths of one and of the list of all; undefined where there is no list. */
  path: string
  list: string | undefined
  tools: { show: string; list: string | undefined }
  /** The steps of `track`: a parcel has its scans there, which tell more than its state. */
  steps: 'states' | 'scans'
  /** The name of its price. The total of a ride's bill is another sum: that of what is charged in the end. */
  price: 'total' | 'fare'
  /** The sum in the title of its screens; undefined where a title has none. */
  titleSum: 'charged' | undefined
  /** The first word of its events, and those that leave its state. */
  events: { kind: string; news: RegExp }
  /** The words of each state for people. */
  words: Readonly<Record<string, string>>
  hasReceipt: boolean
  readDocument: ReadDocument
  /** Reads what `show` says at a terminal. */
  readScreen(screen: string): Facts
  /** Reads the row of a list at a terminal, by its headings. */
  readRow(cell: (heading: string) => string | undefined): Facts
}

/** Returns the surfaces of a kind for its owner. */
export function listOwnerSurfaces(kind: OwnedKind): Surface[] {
  const { of, group, path, list, tools, events, readDocument: read } = kind
  const make = (name: string, reading: Surface['read'], isSlow = false): Surface => ({
    of,
    name,
    isSlow,
    read: reading,
  })
  const command = ({ owner }: Subject, ...words: readonly string[]) => [group, ...words, '--as', owner]
  const show = (subject: Subject, ...words: readonly string[]) =>
    command(subject, 'show', subject.id, ...words)
  const track = (subject: Subject) => command(subject, 'track', subject.id)
  const tracks = [
    make(`${group} track in a pipe`, async (world, subject) =>
      readHistory(await runPiped(world, track(subject))),
    ),
    make(`${group} track`, async (world, subject) =>
      readTrackScreen(await runAtTerminal(world, track(subject)), kind),
    ),
  ]
  const lists = list === undefined ? [] : listSurfaces(kind, make)
  return [
    make(`GET ${path}`, async ({ get }, { id, owner }) =>
      readDocumentFacts(await get(`${path}/${id}`, owner), read),
    ),
    make(`${group} show --json`, async (world, subject) =>
      readDocumentFacts(await runPiped(world, show(subject, '--json')), read),
    ),
    make(`${group} show in a pipe`, async (world, subject) =>
      readPipedFacts(await runPiped(world, show(subject)), read),
    ),
    make(`${group} show`, async (world, subject) =>
      kind.readScreen(stripColours(await runAtTerminal(world, show(subject)))),
    ),
    make(`recent, of a ${of}`, async (world, subject) =>
      readRecent(await runPiped(world, ['recent', '--limit', '100', '--as', subject.owner]), subject, kind),
    ),
    make(`the events ${events.kind}`, async (world, subject) => {
      const words = ['listen', '--list', '--after', '0', '--json', '--as', subject.owner]
      return readEvents(await runPiped(world, words), subject, events)
    }),
    make(`the tool ${tools.show}`, async ({ tool }, { id, owner }) =>
      readDocumentFacts(await tool(tools.show, { [idName(tools.show)]: id }, owner), read),
    ),
    make(`the tool ${tools.show}, all fields`, async ({ tool }, { id, owner }) =>
      readDocumentFacts(await tool(tools.show, { [idName(tools.show)]: id, fields: 'all' }, owner), read),
    ),
    make(`the webhook ${events.kind}`, async ({ findMessage }, { id, owner }) => {
      const document = findMessage(owner, events.kind, id)
      return document && read(document)
    }),
    make(`the shared page of a ${of}`, (world, subject) => readSharedPage(world, subject, kind)),
    ...(kind.steps === 'states' ? tracks : []),
    ...lists,
    ...(kind.hasReceipt ? listReceiptSurfaces(kind, make) : []),
  ]
}

type Make = (name: string, reading: Surface['read'], isSlow?: boolean) => Surface

/** `get_food_order` takes an `order_id`. */
function idName(tool: string): string {
  return tool === 'get_shipment' ? 'tracking_number' : `${tool.split('_').at(-1)}_id`
}

function listSurfaces({ group, list = '', tools, readDocument: read, readRow }: OwnedKind, make: Make) {
  const listing = ({ owner }: Subject, ...words: readonly string[]): string[] => [
    group,
    'list',
    ...words,
    '--as',
    owner,
  ]
  return [
    make(`GET ${list}?`, async ({ get }, subject) =>
      readListedFacts(await get(`${list}?limit=100`, subject.owner), subject, read),
    ),
    make(`${group} list in a pipe`, async (world, subject) =>
      readPipedRowFacts(await runPiped(world, listing(subject, '--all')), subject, read),
    ),
    make(`${group} list`, async (world, subject) => {
      const cell = findTableRow(await runAtTerminal(world, listing(subject, '--limit', '100')), subject)
      return cell && readRow(cell)
    }),
    make(`${group} list as CSV`, async (world, subject) =>
      readCsvRowFacts(await runPiped(world, listing(subject, '--all', '--output', 'csv')), subject, read),
    ),
    ...(tools.list === undefined
      ? []
      : [
          make(`the tool ${tools.list}`, async ({ tool }, subject) =>
            readListedFacts(await tool(tools.list ?? '', { limit: 100 }, subject.owner), subject, read),
          ),
        ]),
  ]
}

function listReceiptSurfaces({ of, group }: OwnedKind, make: Make): Surface[] {
  const write =
    (name: string, read: (file: string) => Promise<Facts>): Surface['read'] =>
    async (world, { id, owner }) => {
      const file = world.path(name)
      await runPiped(world, [group, 'show', id, '--receipt', file, '--fields', 'status', '--as', owner])
      try {
        return existsSync(file) ? await read(file) : undefined
      } finally {
        rmSync(file, { force: true })
      }
    }
  const page = write('receipt.html', async (file) => readReceiptPage(readFileSync(file, 'utf8')))
  const paper = write('receipt.pdf', async (file) => readBill(await readPaperRows(file)))
  return [make(`the receipt of a ${of} as HTML`, page), make(`the receipt of a ${of} as PDF`, paper, true)]
}

/** The states so far, one on each line: the last one is that of now. Other lines tell of whoever is sent. */
function readHistory(text: string): Facts {
  const states = text
    .split('\n')
    .flatMap((line) => /^\S+\t([a-z][a-z _]*?)(?: \([^)]*\))?\t/.exec(line)?.[1] ?? [])
  return { state: { own: states.at(-1)?.replaceAll(' ', '_') } }
}

/** Returns the status behind the words of people. Throws for words that this reader has never seen. */
function toStatus(said: string, { of, words }: OwnedKind): string {
  const status = words[said]
  if (status === undefined) throw new Error(`no state of a ${of} is called ${said}`)
  return status
}

/** The screen of `track`: the last step with a time is the state of now. */
function readTrackScreen(screen: string, kind: OwnedKind): Facts {
  const text = stripColours(screen)
  const [title = ''] = text.split('\n')
  const amount = toMinorUnits(/, (£[\d,.]+)$/.exec(title)?.[1])
  const refunds = [...text.matchAll(/^Refund of (£[\d,.]+) to .+?: (\w+)$/gm)]
  const now = /^● (.+?)(?: {2,}.*| (?:(?:\w{3} )?\d+ \w{3}(?: \d{4})? )?\d\d:\d\d.*)?$/m.exec(text)?.[1]
  return {
    state: { own: now === undefined ? undefined : toStatus(now, kind), refund: refunds.at(-1)?.[2] },
    sums: kind.titleSum === undefined ? {} : { [kind.titleSum]: amount },
  }
}

/** The things that were created on this machine, with their present state. */
function readRecent(text: string, { id }: Subject, { price }: OwnedKind): Facts | undefined {
  const row = readTabbedRows(text).find((each) => each['id'] === id)
  return row && { state: { own: row['state'] }, sums: { [price]: toMinorUnits(row['total']) } }
}

/** The last event that moved the resource. */
function readEvents(text: string, { id }: Subject, { kind, news }: OwnedKind['events']): Facts | undefined {
  const { data } = JSON.parse(text) as { data: { type: string; resource_id: string }[] }
  const moves = data.flatMap(({ type, resource_id }) =>
    resource_id === id && type.startsWith(`${kind}.`) ? [type.slice(kind.length + 1)] : [],
  )
  const last = moves.findLast((word) => !news.test(word))
  return last === undefined ? undefined : { state: { own: last } }
}

/** The links that a story made, by the resource: each one is another link. */
const links = new WeakMap<SurfaceWorld, Map<string, string>>()

async function readSharedPage(
  world: SurfaceWorld,
  { id, owner }: Subject,
  kind: OwnedKind,
): Promise<Facts | undefined> {
  const known = links.get(world) ?? new Map<string, string>()
  links.set(world, known)
  let path = known.get(id)
  if (path === undefined) {
    const { out, code } = await world.dray(['share', id, '--json', '--as', owner])
    if (code !== 0) return undefined
    path = new URL((JSON.parse(out) as { link: string }).link).pathname
    known.set(id, path)
  }
  const page = await world.get(`${path}/state`)
  if (page === null) return undefined
  return { state: { own: toStatus((JSON.parse(page) as { state: string }).state, kind) } }
}

/** Returns what stands above the bill at a terminal, by its labels, and the units and sums of the bill. */
export function readShownBill(
  screen: string,
): Pick<Facts, 'lines' | 'sums'> & { said: Readonly<Record<string, string>> } {
  const end = screen.indexOf('\n\n')
  const head = end === -1 ? screen : screen.slice(0, end)
  return {
    said: readLabelledValues(head, '  '),
    ...readBill(end === -1 ? [] : readBillRows(screen.slice(end))),
  }
}

/** Returns the rows of a bill at a terminal. */
export function readBillRows(text: string): BillRow[] {
  return text.split('\n').flatMap((line): BillRow[] => {
    const found = /^(.*?) {2,}(-?£[\d,]+\.\d\d)$/.exec(line)
    if (found !== null) return [[found[1]?.trim() ?? '', found[2] ?? '']]
    return line.startsWith('    ') ? [[`· ${line.trim()}`, '']] : []
  })
}
