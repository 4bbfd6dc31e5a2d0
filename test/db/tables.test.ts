import { describe, expect, test } from 'vitest'
import { listTables } from '../../src/db/tables.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'

const COLUMNS = {
  sqlite: `select m.name as t, i.name as c, i.pk as k from sqlite_schema m join pragma_table_info(m.name) i
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'shipment_search%' order by m.name, i.cid`,
  postgres: `select table_name as t, column_name as c, 0 as k from information_schema.columns
    where table_schema = current_schema() and table_name not in ('schema_version', 'shipment_search') order by table_name, ordinal_position`,
}

describe.each(ENGINES)('on $name', (engine) => {
  // The index of words is no table of rows: it is emptied and filled on its own.
  test('every table and column of a store is known, with its key', async () => {
    const db = await openTestStore(engine)
    const rows = await db.read((tx) => tx.all(COLUMNS[db.kind]))
    const found = Map.groupBy(rows, (row) => String(row['t']))
    const said = listTables()
    expect(said.map(({ name }) => name).toSorted()).toEqual([...found.keys()].toSorted())
    for (const { name, columns, key } of said) {
      const ofTable = found.get(name) ?? []
      expect(
        columns.map((column) => column.name),
        name,
      ).toEqual(ofTable.map((row) => row['c']))
      expect(key.length, name).toBeGreaterThan(0)
      const keyed = ofTable
        .filter((row) => Number(row['k']) > 0)
        .toSorted((a, b) => Number(a['k']) - Number(b['k']))
      // PostgreSQL's list of columns does not name the key.
      expect(key, name).toEqual(db.kind === 'sqlite' ? keyed.map((row) => row['c']) : key)
    }
  })
})
