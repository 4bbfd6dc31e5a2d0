import { readFileSync } from 'node:fs'
import type { MenuColumn } from '../../src/commands/business/menu/columns.ts'
import type { ItemDraft, MenuFile } from '../../src/commands/business/menu/draft.ts'
import { MENU_FILE_KIND } from '../../src/commands/business/menu/kind.ts'
import { MENU_RESULT_CELLS } from '../../src/commands/business/menu/outcomes.ts'
import { parseMenu } from '../../src/commands/business/menu/parse.ts'
import { type MapOptions, mapHeaders, readAssignments } from '../../src/tabular/columns/map.ts'
import { makeExpectedHeader } from '../../src/tabular/columns/match.ts'
import { toResultsFileForm } from '../../src/tabular/columns/results.ts'
import { decodeSure } from '../../src/tabular/csv/decode.ts'
import { loadEntities } from '../../src/tabular/csv/entities.ts'
import { readTable } from '../../src/tabular/csv/read.ts'
import { makeCsvRowFile } from '../../src/tabular/import/csv-file.ts'

await loadEntities('&amp;')

export type ReadMenu = MenuFile &
  ReturnType<typeof mapHeaders<MenuColumn, (typeof MENU_FILE_KIND.presets)[number]>>

/** Reads a CSV file as the import command does before it calls the service. */
export function readMenu(source: string | URL, options: MapOptions = {}, currency = 'GBP'): ReadMenu {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : readFileSync(source)
  const decoded = decodeSure(bytes)
  if (decoded === undefined) throw new Error('the file is not UTF-8')
  const table = readTable(decoded.text, { expected: makeExpectedHeader(MENU_FILE_KIND) })
  const mapped = mapHeaders(MENU_FILE_KIND, table, options)
  const menu = parseMenu(mapped.mapping, { assumed: currency, store: currency })
  return {
    ...mapped,
    ...makeCsvRowFile(toResultsFileForm(false, table), mapped.mapping, menu, MENU_RESULT_CELLS),
  }
}

/** Returns the items of a menu; throws if it has errors. */
export function draftsOf({ rows }: MenuFile): ItemDraft[] {
  const errors = rows.flatMap((row) => row.errors)
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 1))
  return rows.flatMap(({ draft }) => draft ?? [])
}

/** Returns the column and the code of every error, in order. */
export function errorsOf({ rows }: MenuFile): [string, string][] {
  return rows.flatMap(({ errors }) => errors.map(({ column, code }): [string, string] => [column, code]))
}

export function menuDefaults(...values: string[]): MapOptions {
  return { defaults: readAssignments(MENU_FILE_KIND, '--default', values) }
}
