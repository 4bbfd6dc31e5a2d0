/** Notes for people about how a file was read: whole sentences, shown before anything is sent. */
import type { Note } from '../columns/outcomes.ts'
import type { Row, Table } from '../csv/read.ts'
import type { ManifestMapping } from './columns.ts'
import type { Doubt } from './presets.ts'
import type { ManifestRow } from './row.ts'

export function noteMerges(rows: number, parcels: number): Note[] {
  if (rows === parcels) return []
  const made = parcels === 1 ? '1 parcel' : `${parcels} parcels`
  return [{ kind: 'info', text: `${rows} rows are ${made}: adjacent rows of one order go together.` }]
}

/** Orders that the export itself marks as cancelled, shipped and the like. */
export function findDoubts(table: Table, mapping: ManifestMapping, parcels: readonly ManifestRow[]): Note[] {
  return (mapping.preset?.doubts ?? []).flatMap((doubt) => {
    const doubtful = parcels.filter(({ rows }) => isDoubtful(rows[0], table, doubt))
    if (doubtful.length === 0) return []
    const [are, orders] = doubtful.length === 1 ? ['is', '1 order'] : ['are', `${doubtful.length} orders`]
    const named = doubtful.slice(0, 5).map(({ reference, row }) => reference ?? `row ${row}`)
    const more = doubtful.length > named.length ? ', …' : ''
    return [
      { kind: 'warning', text: `${orders} in the export ${are} ${doubt.word}: ${named.join(', ')}${more}.` },
    ]
  })
}

function isDoubtful(row: Row | undefined, table: Table, { keys, when }: Doubt): boolean {
  return keys.some((key) => when.test(row?.cells[table.keys.indexOf(key)] ?? ''))
}

/** Service words of a shop that name no level: their parcels get the default one. */
export function noteServices(words: ReadonlyMap<string, number>, header: string): Note[] {
  if (words.size === 0) return []
  const listed = [...words].map(([word, count]) => `${JSON.stringify(word)} (${count})`).slice(0, 5)
  const more = words.size > listed.length ? ', …' : ''
  const text = `${header} names no service level in ${listed.join(', ')}${more}; these parcels get the default level`
  return [
    {
      kind: 'warning',
      text: `${text}.`,
      typed: `${text}, which --service sets.`,
    },
  ]
}
