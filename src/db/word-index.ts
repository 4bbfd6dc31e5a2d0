/** The index of words, `shipment_search`, on both engines: FTS5 of SQLite, and GIN over `tsvector` of PostgreSQL. */
import type { Tx, WordMatch } from '../core/db.ts'
import { readIntegerColumn } from './values.ts'

/** A row of the index by its number; its words are letters and digits, with one blank between two. */
export type WordRow = { seq: number; words: string }

const INTO_POSTGRES = `insert into shipment_search (seq, words)
  select cast(row ->> 0 as bigint), array_to_tsvector(string_to_array(row ->> 1, ' '))
  from json_array_elements(cast($1 as json)) as row
  on conflict (seq) do update set words = shipment_search.words || excluded.words`

/** Adds words to rows; a row keeps those that it has. */
export async function addWords(tx: Tx, rows: readonly WordRow[]): Promise<void> {
  const values = rows.map(({ seq, words }) => [seq, words])
  if (tx.engine === 'sqlite') await tx.insertMany('shipment_search', ['rowid', 'words'], values)
  else await tx.runPipelined(INTO_POSTGRES, JSON.stringify(values))
}

/** Removes all rows. */
export async function clearWords(tx: Tx): Promise<void> {
  if (tx.engine === 'sqlite')
    await tx.run(`insert into shipment_search (shipment_search) values ('delete-all')`)
  else await tx.clear('shipment_search')
}

/** PostgreSQL plans the inner part alone: else it may walk all rows from the end in search of few. */
const SEARCHES = {
  sqlite: `select rowid as seq from shipment_search where shipment_search match $1 and rowid < $2
    order by rowid desc limit $3`,
  postgres: `select seq from (select seq from shipment_search where words @@ cast($1 as tsquery) offset 0) as found
    where seq < $2 order by seq desc limit $3`,
}

/** Returns the numbers of at most `most` rows that match and are before `before`, the last first. */
export async function findWords(tx: Tx, match: WordMatch, before: number, most: number): Promise<number[]> {
  const rows = await tx.all(SEARCHES[tx.engine], textOf(match, SYNTAX[tx.engine]), before, most)
  return rows.map((row) => readIntegerColumn(row, 'seq'))
}

/** How an engine writes a condition. */
type Syntax = { all: string; any: string; beginning: string; quote: string }

const SYNTAX: Readonly<Record<Tx['engine'], Syntax>> = {
  sqlite: { all: ' AND ', any: ' OR ', beginning: ' *', quote: '"' },
  postgres: { all: ' & ', any: ' | ', beginning: ':*', quote: "'" },
}

function textOf(match: WordMatch, syntax: Syntax): string {
  if ('word' in match) {
    const { quote, beginning } = syntax
    return `${quote}${match.word}${quote}${match.isBeginning === true ? beginning : ''}`
  }
  const parts = 'all' in match ? match.all : match.any
  return `(${parts.map((part) => textOf(part, syntax)).join('all' in match ? syntax.all : syntax.any)})`
}
