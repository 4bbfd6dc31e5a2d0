import { MIGRATIONS } from './schema.ts'

export type Table = {
  name: string
  /** The columns in the order of their creation. */
  columns: readonly { name: string; kind: 'int' | 'text' | 'blob' }[]
  /** The columns of its primary key. */
  key: readonly string[]
}

/** Returns every table of the schema, parsed from the migrations; tables that refer to others come later. */
export function listTables(): Table[] {
  const statements = MIGRATIONS.flat()
  return statements.flatMap((statement) => {
    const name = /^create table (\w+)/.exec(statement)?.[1]
    if (name === undefined) return []
    const added = statements.filter((one) => one.startsWith(`alter table ${name} add column `))
    const lines = [...statement.split('\n'), ...added.map((one) => one.slice(one.indexOf('column ') + 7))]
    const columns = lines.flatMap((line) => {
      const [, column, kind] = /^\s*(\w+) \{(int|text|blob)\}/.exec(line) ?? []
      return column === undefined ? [] : [{ name: column, kind: kind as 'int' | 'text' | 'blob' }]
    })
    const listed = /\n\s*primary key \(([\w, ]+)\)/.exec(statement)?.[1]?.split(', ')
    const key = listed ?? [/\n\s*(\w+) \{\w+\}[^\n]* primary key/.exec(statement)?.[1] ?? '']
    return [{ name, columns, key }]
  })
}
