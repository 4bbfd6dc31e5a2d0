import { MIGRATIONS } from './schema.ts'

type Column = { name: string; kind: 'int' | 'text' | 'blob' }

export type TableSchema = {
  name: string
  /** The columns in the order of their creation. */
  columns: readonly Readonly<Column>[]
  /** The columns of its primary key. */
  key: readonly string[]
}

/** Returns every table of the schema of a version, parsed from the migrations; tables that refer to others come later. */
export function listTables(version = MIGRATIONS.length): TableSchema[] {
  const tables = new Map<string, TableSchema>()
  for (const statement of MIGRATIONS.slice(0, version).flat()) {
    const [, verb, name = ''] = /^(create|alter|drop) table (\w+)/.exec(statement) ?? []
    const renamed = / rename to (\w+)/.exec(statement)?.[1]
    const known = tables.get(name)
    if (verb === 'create') tables.set(name, toTable(name, statement))
    else if (known === undefined) continue
    else if (verb === 'drop') tables.delete(name)
    else if (renamed === undefined) tables.set(name, { ...known, columns: alter(known.columns, statement) })
    else {
      tables.delete(name)
      tables.set(renamed, { ...known, name: renamed })
    }
  }
  return [...tables.values()]
}

function toTable(name: string, statement: string): TableSchema {
  const listed = /\n\s*primary key \(([\w, ]+)\)/.exec(statement)?.[1]?.split(', ')
  const key = listed ?? [/\n\s*(\w+) \{\w+\}[^\n]* primary key/.exec(statement)?.[1] ?? '']
  return { name, columns: statement.split('\n').flatMap(toColumn), key }
}

/** Returns the columns of a table after a statement that changes them. */
function alter(columns: readonly Column[], statement: string): Column[] {
  const [, change, column = '', rest = ''] = / (add|drop|rename) column (\w+)(.*)/s.exec(statement) ?? []
  if (change === 'add') return [...columns, ...toColumn(column + rest)]
  if (change === 'drop') return columns.filter(({ name }) => name !== column)
  const renamed = rest.replace(' to ', '')
  return columns.map((each) => (each.name === column ? { ...each, name: renamed } : each))
}

/** Reads a column from its line in a statement; an empty list for any other line. */
function toColumn(line: string): Column[] {
  const [, name, kind] = /^\s*(\w+) \{(int|text|blob)\}/.exec(line) ?? []
  return name === undefined ? [] : [{ name, kind: kind as Column['kind'] }]
}
