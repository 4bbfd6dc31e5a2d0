/** One resource as a sheet of labels and values, for `show` and for what a command has just made. */
import type { Column } from '../../core/operation.ts'
import { cellText, isOneThing, labelOf } from './cell.ts'
import { paint, statusDress, type Paint } from './colour.ts'
import { pick } from './fields.ts'
import type { Manner } from './manner.ts'
import { labelWidth, sheet, type Entry } from './sheet.ts'
import { columnsOf, table } from './table.ts'
import { clean } from './text.ts'

/** A list of objects: a table of its own below its heading. */
type Inset = { heading: Entry; rows: Record<string, unknown>[]; columns: Column[] }

/**
 * The whole value, or only its columns. Nested objects are indented, lists of objects small tables, and what is not set
 * is left out. For a pipe one `field<TAB>value` a line by the field's dotted name, list items numbered from 0.
 */
export async function record(value: object, manner: Manner, columns?: readonly Column[]): Promise<string> {
  const chosen = columns ?? columnsOf([value])
  if (!manner.tty) return pipedRecord(value, chosen, manner)
  const style = paint(manner.colour)
  const parts = outline(value, chosen, manner, style)
  const labels = labelWidth(parts.filter((part): part is Entry => !('rows' in part)))
  const blocks = parts.map((part) =>
    'rows' in part ? inset(part, manner) : Promise.resolve(sheet([part], manner, labels)),
  )
  return (await Promise.all(blocks)).join('\n')
}

/** What becomes of one value: lines, and small tables. */
function outline(
  value: object,
  columns: readonly Column[],
  manner: Manner,
  style: Paint,
  indent = 0,
): (Entry | Inset)[] {
  const whole: (Entry | Inset)[] = []
  for (const { field, label = labelOf(field) } of columns) {
    const held = pick(value, field)
    if (isList(held, manner)) {
      whole.push({
        heading: { label, indent, dress: style.bold },
        rows: held,
        columns: insetColumns(held, value, manner),
      })
    } else if (isNested(held, manner)) {
      const inner = outline(held, columnsOf([held]), manner, style, indent + 1)
      if (inner.length > 0) whole.push({ label, indent, dress: style.bold }, ...inner)
    } else {
      const text = cellText(held, field, manner)
      if (text !== '') whole.push({ label, indent, text, dress: statusDress(field, text, style) })
    }
  }
  return whole
}

/**
 * Without what no row has, and without the ids of what has a name; other ids and what the resource itself says come
 * last, so that they go first when room is short.
 */
function insetColumns(rows: Record<string, unknown>[], owner: object, manner: Manner): Column[] {
  const named = rows.every((row) => typeof row['name'] === 'string')
  const columns = columnsOf(rows).filter(
    ({ field }) =>
      !(named && field.endsWith('_id')) && rows.some((row) => cellText(row[field], field, manner) !== ''),
  )
  const isMinor = ({ field }: Column) =>
    field.endsWith('_id') || rows.every((row) => row[field] === pick(owner, field))
  return [...columns.filter((column) => !isMinor(column)), ...columns.filter(isMinor)]
}

async function inset({ heading, rows, columns }: Inset, manner: Manner): Promise<string> {
  const margin = '  '.repeat((heading.indent ?? 0) + 1)
  const text = await table(rows, columns, { ...manner, width: Math.max(20, manner.width - margin.length) })
  return [
    sheet([heading], manner),
    ...text.split('\n').map((line) => (line === '' ? '' : margin + line)),
  ].join('\n')
}

function pipedRecord(value: object, columns: readonly Column[], manner: Manner): string {
  const lines: string[] = []
  const visit = (held: unknown, path: string): void => {
    if (isList(held, manner)) for (const [at, item] of held.entries()) visit(item, `${path}.${at}`)
    else if (isNested(held, manner))
      for (const [key, member] of Object.entries(held)) visit(member, `${path}.${key}`)
    else lines.push(`${clean(path)}\t${cellText(held, path, manner)}`)
  }
  for (const { field } of columns) visit(pick(value, field), field)
  return lines.join('\n')
}

function isNested(value: unknown, manner: Manner): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isOneThing(value, manner)
}

function isList(value: unknown, manner: Manner): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isNested(item, manner))
}
