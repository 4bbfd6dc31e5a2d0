/** The one form of what any surface shows of a resource, and how texts are read into it. */

/** The facts of one surface. What it does not show is absent; `lines` has all units, or is absent. */
export type Facts = {
  /** The states, by whose they are: of the order, of its payment, of its courier. */
  state?: Readonly<Record<string, string | undefined>>
  /** The units that are left, by the name of the item. */
  lines?: Readonly<Record<string, number>>
  /** The units of these that are cooked now, while a customer is not asked about them. */
  cooking?: Readonly<Record<string, number>>
  /** Sums in minor units. */
  sums?: Readonly<Record<string, number | undefined>>
  /** Instants to the minute, in UTC: `2026-11-20T09:18`. */
  times?: Readonly<Record<string, string | undefined>>
  who?: Readonly<Record<string, string | undefined>>
  where?: Readonly<Record<string, string | undefined>>
}

/** The facts that one surface shows. */
export type SurfaceReading = { surface: string; facts: Facts }

/** Two surfaces that tell different things of one resource. */
export type Contradiction = {
  resource: string
  fact: string
  /** The surfaces that give each value. */
  told: ReadonlyMap<string, readonly string[]>
}

/** Returns the facts that surfaces of one resource tell differently. */
export function findContradictions(resource: string, readings: readonly SurfaceReading[]): Contradiction[] {
  const told = new Map<string, Map<string, string[]>>()
  for (const { surface, facts } of readings)
    for (const [fact, value] of flattenFacts(facts)) {
      const values = told.get(fact) ?? new Map<string, string[]>()
      told.set(fact, values.set(value, [...(values.get(value) ?? []), surface]))
    }
  return [...told].flatMap(([fact, values]) => (values.size > 1 ? [{ resource, fact, told: values }] : []))
}

/** Returns `sums.total of order 1: 3221 (show, list), 2276 (board)`. */
export function formatContradiction({ resource, fact, told }: Contradiction): string {
  const values = [...told].map(([value, surfaces]) => `${value} (${surfaces.join(', ')})`)
  return `${fact} of ${resource}: ${values.join('; ')}`
}

function flattenFacts({ lines, cooking, ...groups }: Facts): [fact: string, value: string][] {
  const rest = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[`${group}.${name}`, String(value)]],
    ),
  )
  return [...rest, ...unitFact('lines', lines), ...unitFact('cooking', cooking)]
}

function unitFact(name: string, units: Facts['lines']): [fact: string, value: string][] {
  if (units === undefined) return []
  const left = Object.entries(units)
    .filter(([, count]) => count !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [[name, left.map(([item, count]) => `${count} × ${item}`).join(', ')]]
}

/** Returns the minor units of `£1,234.50`, `-£2.78`, `1234.50 GBP`, `12.50` or of an amount of JSON; undefined without one. */
export function toMinorUnits(value: unknown): number | undefined {
  if (typeof value === 'object' && value !== null && 'amount' in value) return readMinor(value.amount)
  if (typeof value !== 'string') return undefined
  const found = /^([-−])?£?(-)?([\d,]+)\.(\d\d)(?: GBP)?$/.exec(value.trim())
  if (found === null) return undefined
  const [, sign, inner, whole = '', part] = found
  const amount = Number(`${whole.replaceAll(',', '')}${part}`)
  return (sign ?? inner) === undefined ? amount : -amount
}

function readMinor(amount: unknown): number | undefined {
  return typeof amount === 'number' ? amount : toMinorUnits(amount)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the minute of an instant as JSON, rows or a terminal write it, in UTC; undefined without one. */
export function toMinute(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const shown = /^(\d{1,2}) (\w{3}) (\d{4}) (\d\d:\d\d)(?: UTC)?$/.exec(value.trim())
  if (shown !== null) {
    const [, day = '', month = '', year, time] = shown
    return `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}T${time}`
  }
  const instant = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString().slice(0, 16)
}

/** Returns a text as a terminal shows it, without its colours. */
export function stripColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours begin with it
  return text.replaceAll(/\u001B\[\d+(?:;\d+)*m/g, '')
}

/** Returns the rows of a table on a terminal, each by its headings: the columns stand where the rule under them does. */
export function readScreenTable(text: string): Record<string, string>[] {
  const [head = '', rule = '', ...rows] = stripColours(text).split('\n')
  if (!/^─[─ ]*$/.test(rule)) return []
  const columns = [...rule.matchAll(/─+/g)].map(
    ({ 0: { length }, index }) => [index, index + length] as const,
  )
  const cell = (line: string, [from, to]: readonly [number, number]): string => line.slice(from, to).trim()
  return rows
    .filter((row) => row.trim() !== '')
    .map((row) => Object.fromEntries(columns.map((at) => [cell(head, at), cell(row, at)])))
}

/** Returns rows that are separated by tabs, by the names of the first one. */
export function readTabbedRows(text: string): Record<string, string>[] {
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const names = head.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** Returns what a terminal or a pipe says of one thing: each label with its value. */
export function readLabelledValues(text: string, between: '\t' | '  '): Record<string, string> {
  const pairs = stripColours(text)
    .split('\n')
    .flatMap((line): [string, string][] => {
      const at = line.indexOf(between)
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]]
    })
  return Object.fromEntries(pairs)
}
