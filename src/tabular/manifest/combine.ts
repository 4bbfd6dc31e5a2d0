/** Combines several headers of a manifest: names in halves, lines of an address, weights, units and quantities. */
import type { HeaderCandidate, ColumnSearch, CellSource } from '../columns/columns.ts'
import { parseHeader } from '../columns/header-parser.ts'
import { bestOf, collectUsedPositions } from '../columns/map.ts'
import { isFilled } from '../csv/header.ts'
import { isUnit } from '../csv/numbers.ts'
import type { DataTable } from '../csv/read.ts'
import { type ManifestColumnName, getManifestColumn } from './columns.ts'

type Candidate = HeaderCandidate<ManifestColumnName>
type File = ColumnSearch<ManifestColumnName>

/** The headers of an address: those of one owner belong together. */
const ADDRESS: ReadonlySet<ManifestColumnName> = new Set([
  'address_line1',
  'address_line2',
  'city',
  'region',
  'postal_code',
  'country_code',
])

const LENGTHS = ['length_mm', 'width_mm', 'height_mm', 'dimensions'] as const

/** From this rank on a header does not say that it is the recipient's. */
const OWNERLESS = 100

/** Sets the sources of columns that are made of several headers. */
export function combineHeaders(given: File): readonly Candidate[] {
  const file = { ...given, candidates: withoutOtherAddress(withoutCounts(given)) }
  combineLines(file)
  combineNumbered(file)
  combineNames(file)
  combineWeight(file)
  combineSides(file)
  for (const column of ['weight_grams', ...LENGTHS] as const) assignOnlyHeader(file, column)
  combineUnits(file)
  countItems(file)
  countParcels(file)
  return file.candidates
}

/** `Items` above numbers counts them: that many goods, or that many parcels, and is no description. */
function withoutCounts({ table, candidates }: File): readonly Candidate[] {
  const isCount = ({ column, at }: Candidate): boolean => {
    // The words of headers are loaded for a file that needs them.
    if (column !== 'description') return false
    const cells =
      parseHeader(table.header[at] ?? '').readings[0]?.parts.length === 0 ? cellsOf(table, at) : []
    return cells.length > 0 && cells.every((cell) => /^\d{1,4}$/.test(cell))
  }
  return candidates.filter((each) => !isCount(each))
}

/**
 * Beside the recipient's own headers, those without an owner belong to another party: of an address all of them. Only a file in
 * the form of the template has columns of exactly these names.
 */
function withoutOtherAddress(candidates: readonly Candidate[]): readonly Candidate[] {
  const keyOf = ({ column, number = 1 }: Candidate): string => `${column} ${number}`
  const own = new Set(candidates.filter(({ how, rank }) => how === 'alias' && rank < OWNERLESS).map(keyOf))
  const exact = new Set(candidates.flatMap(({ column, how }) => (how === 'exact' ? [column] : [])))
  const isTemplate = exact.has('recipient_name') && exact.has('address_line1')
  const isOther = (each: Candidate): boolean =>
    each.rank >= OWNERLESS ||
    (each.how === 'exact' &&
      !isTemplate &&
      getManifestColumn(each.column).of === 'recipient' &&
      each.column !== 'recipient_name')
  const isDouble = (each: Candidate): boolean => isOther(each) && own.has(keyOf(each))
  const isForeign = candidates.some((each) => ADDRESS.has(each.column) && isDouble(each))
  return candidates.filter(
    (each) => !isDouble(each) && !(isForeign && isOther(each) && ADDRESS.has(each.column)),
  )
}

/** Returns the header that names a column best; undefined where several do. */
function onlyOf(file: File, column: ManifestColumnName): Candidate | undefined {
  const [only, ...others] = bestOf(file.candidates, column)
  return others.length === 0 ? only : undefined
}

function assignOnlyHeader(file: File, column: ManifestColumnName): void {
  const only = onlyOf(file, column)
  if (file.sources.has(column) || only === undefined) return
  const { at, unit, how } = only
  const source = { at: [at], join: '', ...(unit !== undefined && { unit }) }
  file.sources.set(column, { how: how === 'exact' ? how : file.how, from: [source] })
}

/** All lines of an address, in their order: the first one, and the others joined. */
function combineLines(file: File): void {
  const { sources, candidates, how } = file
  const first = onlyOf(file, 'address_line1')
  const further = candidates.filter(({ column }) => column === 'address_line2')
  const rest = further
    .filter((each) => further.every(({ number, rank }) => number !== each.number || rank >= each.rank))
    .toSorted((a, b) =>
      a.number === undefined || b.number === undefined ? a.at - b.at : a.number - b.number,
    )
    .map(({ at }) => at)
  if (first !== undefined && !sources.has('address_line1')) {
    const { house, street } = withHouse(file, first.at)
    const lines = [...(house === undefined ? [] : [[house]]), street]
    sources.set('address_line1', {
      how: first.how === 'exact' ? 'exact' : how,
      from: lines.map((at) => ({ at, join: ' ' })),
    })
    if (house !== undefined && !sources.has('address_line2')) {
      const at = [house, ...street, ...rest]
      sources.set('address_line2', { how, from: [{ at, join: ', ', skip: 1 }] })
    }
  }
  if (rest.length > 0 && !sources.has('address_line2'))
    sources.set('address_line2', {
      how: further.length === 1 && further[0]?.how === 'exact' ? 'exact' : how,
      from: [{ at: rest, join: ', ' }],
    })
}

/** Columns of headers that differ by their number take all of them. */
function combineNumbered({ sources, candidates, how }: File): void {
  for (const [column, found] of Map.groupBy(candidates, (each) => each.column)) {
    const numbers = found.map(({ number = 0 }) => number)
    const isSeries = numbers.length > 1 && new Set(numbers).size === numbers.length
    if (getManifestColumn(column).numbered !== true || sources.has(column) || !isSeries) continue
    const at = found.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)).map((each) => each.at)
    sources.set(column, { how, from: [{ at, join: ', ' }] })
  }
}

/** The street with the number of the house, on the same side as in the file; the name of a house has a line of its own. */
function withHouse(file: File, street: number): { house: number | undefined; street: number[] } {
  const named = onlyOf(file, 'house_name')
  const cells = named === undefined ? [] : cellsOf(file.table, named.at)
  const isNumber = cells.length > 0 && cells.every((cell) => /^\d+\s?[a-z]?$/i.test(cell))
  const number = houseNumber(file, street, isNumber ? named : undefined)
  return {
    house: isNumber ? undefined : named?.at,
    street: number === undefined ? [street] : [number, street].toSorted((a, b) => a - b),
  }
}

function cellsOf({ rows }: DataTable, at: number): string[] {
  return rows.map(({ cells }) => cells[at]?.trim() ?? '').filter(isFilled)
}

/** The column of house numbers: under a word for it, or under one such as `Nr.` beside a street without numbers. */
function houseNumber(file: File, street: number, named: Candidate | undefined): number | undefined {
  const { table, sources } = file
  const sure = onlyOf(file, 'house_number') ?? named
  if (sure !== undefined) return sure.at
  const used = new Set([...collectUsedPositions(sources), ...file.candidates.map(({ at }) => at)])
  const beside = [street + 1, street - 1].find((at) => {
    if (used.has(at)) return false
    const [reading, ...others] = parseHeader(table.header[at] ?? '').readings
    return others.length === 0 && reading?.owners.length === 0 && reading.parts.join('') === 'number'
  })
  if (beside === undefined) return undefined
  return cellsOf(table, street).some((cell) => /\d\s*[a-z]?$/i.test(cell)) ? undefined : beside
}

/** A whole name, or its halves joined; `Name` is a half of it where only the other half is there. */
function combineNames(file: File): void {
  const { sources, how } = file
  const full = bestOf(file.candidates, 'recipient_name')
  if (sources.has('recipient_name') || full.some((each) => each.how === 'exact')) return
  const name = full.length === 1 ? full[0] : undefined
  const from = nameSources(file, name, full.length > 1)
  if (from.length > 0) sources.set('recipient_name', { how, from })
}

/** `isUnclear` says that several headers name whole names. */
function nameSources(file: File, name: Candidate | undefined, isUnclear: boolean): CellSource[] {
  const [first, last] = [onlyOf(file, 'first_name'), onlyOf(file, 'last_name')]
  const half = first ?? last
  if (half === undefined) return []
  if (first !== undefined && last !== undefined) return wholeOrHalves(file, name, first, last)
  const { table } = file
  const isBare = parseHeader(table.header[name?.at ?? -1] ?? '').readings[0]?.parts.join('') === 'name'
  if (name === undefined || !isBare || isUnclear || holdsHalf(table, name.at, half.at)) return []
  return [{ at: first === undefined ? [name.at, half.at] : [half.at, name.at], join: ' ' }]
}

/** The recipient's own words, whole or in halves, come before those without an owner. */
function wholeOrHalves(
  file: File,
  name: Candidate | undefined,
  first: Candidate,
  last: Candidate,
): CellSource[] {
  const title = onlyOf(file, 'name_title')
  const halves = { at: [...(title === undefined ? [] : [title.at]), first.at, last.at], join: ' ' }
  const [own, other] = [first, name].map((each) => Math.floor((each?.rank ?? Infinity) / OWNERLESS))
  const lead = (own ?? 0) - (other ?? 0)
  const whole = name === undefined || lead < 0 ? [] : [{ at: [name.at], join: '' }]
  return lead > 0 ? whole : [...whole, halves]
}

/** Returns whether the names of a column hold those of another one already. */
function holdsHalf({ rows }: DataTable, name: number, half: number): boolean {
  const both = rows
    .map(({ cells }) => [cells[name] ?? '', cells[half] ?? ''].map((cell) => cell.trim().toLowerCase()))
    .filter((pair) => pair.every(isFilled))
  return both.length > 0 && both.every(([whole = '', part = '']) => whole !== part && whole.includes(part))
}

/** Pounds and ounces in two columns are one weight; that of an item counts as often as there are items. */
function combineWeight(file: File): void {
  const { sources, how } = file
  if (sources.has('weight_grams')) return
  const best = bestOf(file.candidates, 'weight_grams')
  const [pounds, ounces] = (['lb', 'oz'] as const).map((unit) => best.find((each) => each.unit === unit))
  if (best.length === 2 && pounds !== undefined && ounces !== undefined)
    sources.set('weight_grams', {
      how,
      from: [{ at: [pounds.at, ounces.at], join: ' + ', units: ['lb', 'oz'] }],
    })
  const [item, quantity] = [onlyOf(file, 'item_weight'), onlyOf(file, 'quantity')]
  if (best.length > 0 || item === undefined || quantity === undefined) return
  const unit = item.unit === undefined ? {} : { unit: item.unit }
  sources.set('weight_grams', { how, from: [{ at: [item.at], join: '', timesAt: quantity.at, ...unit }] })
}

/** `L`, `W` and `H` are the sides of a box where all three are there. */
function combineSides({ table, sources, candidates, how }: File): void {
  const isKnown = candidates.some(({ column }) => (LENGTHS as readonly string[]).includes(column))
  if (isKnown) return
  const used = collectUsedPositions(sources)
  const letters = table.header.flatMap((header, at) => {
    const { side, unit } = parseHeader(header)
    return side === undefined || used.has(at) ? [] : [{ column: `${side}_mm` as const, at, unit }]
  })
  const columns = new Set(letters.map(({ column }) => column))
  if (letters.length !== 3 || columns.size !== 3) return
  for (const { column, at, unit } of letters)
    if (!sources.has(column))
      sources.set(column, { how, from: [{ at: [at], join: '', ...(unit !== undefined && { unit }) }] })
}

/** Units in columns of their own count for the numbers that name none, whatever such a column is called. */
function combineUnits(file: File): void {
  const { sources, table, candidates } = file
  const named = new Set(candidates.map(({ at }) => at))
  const give = (columns: readonly ManifestColumnName[], unitAt: number): void => {
    for (const column of columns) {
      const entry = sources.get(column)
      if (entry === undefined) continue
      const from = entry.from.map((source) =>
        source.unit === undefined && source.units === undefined ? { ...source, unitAt } : source,
      )
      sources.set(column, { ...entry, from })
    }
  }
  const used = collectUsedPositions(sources)
  for (const [at] of table.header.entries()) {
    const cells = used.has(at) || named.has(at) ? [] : cellsOf(table, at)
    if (cells.length === 0) continue
    if (cells.every((cell) => isUnit(cell, 'weight'))) give(['weight_grams'], at)
    else if (cells.every((cell) => isUnit(cell, 'length'))) give(LENGTHS, at)
  }
  for (const { column, at } of candidates) {
    if (column === 'weight_unit') give(['weight_grams'], at)
    else if (column === 'length_unit') give(LENGTHS, at)
    else if (column === 'unit') {
      const cells = cellsOf(table, at)
      const isOf = (kind: 'weight' | 'length'): boolean => cells.some((cell) => isUnit(cell, kind))
      const beside = sources.get('weight_grams')?.from.some((source) => source.at.includes(at - 1)) === true
      if (beside || isOf('weight')) give(['weight_grams'], at)
      else if (isOf('length')) give(LENGTHS, at)
    }
  }
}

/** Words beside which those for a parcel count it: `No of Pkgs`, `Total Cartons`, `Nb colis`. */
// `Nombre` is a number in French, and a name in Spanish, which no small number is.
const COUNTING: ReadonlySet<string> = new Set(['number', 'quantity', 'total', 'parcel count', 'name'])

/** A column that names parcels and counts them, or holds nothing but small whole numbers, says how many a row is. */
function countParcels({ sources, table, candidates, how }: File): void {
  if (sources.has('parcel_count') || candidates.some(({ column }) => column === 'parcel_count')) return
  const others = candidates.filter(({ column }) => column !== 'quantity')
  const used = new Set([...collectUsedPositions(sources), ...others.map(({ at }) => at)])
  const at = table.header.findIndex((header, place) => {
    if (used.has(place)) return false
    const { readings, unknown, unit } = parseHeader(header)
    const isOfParcels = ({ owners, parts }: (typeof readings)[number]): boolean =>
      owners.every((owner) => ['parcel', 'delivery'].includes(owner)) &&
      (owners.includes('parcel') || parts.includes('parcel count')) &&
      parts.every((part) => COUNTING.has(part))
    const cells = cellsOf(table, place)
    return (
      unknown.length === 0 &&
      unit === undefined &&
      readings.some(isOfParcels) &&
      cells.length > 0 &&
      cells.every((cell) => /^\d{1,3}(?:[.,]0+)?$/.test(cell))
    )
  })
  if (at !== -1) sources.set('parcel_count', { how, from: [{ at: [at], join: '' }] })
}

/** Adds to each description how many were bought. */
function countItems(file: File): void {
  const { sources, table } = file
  assignOnlyHeader(file, 'description')
  const entry = sources.get('description')
  const quantity = onlyOf(file, 'quantity')
  if (entry === undefined || quantity === undefined) return
  const isItem = entry.from.every(({ at }) =>
    parseHeader(table.header[at[0] ?? 0] ?? '').readings.some(({ owners }) => owners.length > 0),
  )
  if (isItem || entry.how === 'preset')
    sources.set('description', {
      ...entry,
      from: entry.from.map((source) => ({ ...source, timesAt: quantity.at })),
    })
}
