/** Renders one resource as labels and values, for `show` commands and for a new resource. */
import type { Column } from '../../core/operation.ts'
import { isRecord } from '../../core/record.ts'
import { cellText, isOneThing, formatFieldLabel } from './cell.ts'
import { makePaint, statusStyle, type Paint } from './colour.ts'
import { pickField } from './fields.ts'
import type { RenderOptions } from './render-options.ts'
import { labelWidth, sheet, type SheetLine } from './sheet.ts'
import { inferColumns, renderTextTable } from './table.ts'
import { sanitizeForTerminal } from './text.ts'

/** A list of objects: a small table below its heading. */
type Inset = { heading: SheetLine; rows: Record<string, unknown>[]; columns: Column[] }

/**
 * Renders the whole value, or only its columns. Nested objects are indented, lists of objects are small tables, and
 * missing values are omitted. For a pipe it prints one `field<TAB>value` per line by the field's dotted name, with
 * list items numbered from 0.
 */
export async function record(
  value: object,
  renderOptions: RenderOptions,
  columns?: readonly Column[],
): Promise<string> {
  const chosen = columns ?? inferColumns([value])
  if (!renderOptions.tty) return pipedRecord(value, chosen, renderOptions)
  const style = makePaint(renderOptions.colour)
  const parts = outline(value, chosen, renderOptions, { style })
  const labels = labelWidth(parts.filter((part): part is SheetLine => !('rows' in part)))
  const blocks = parts.map((part) =>
    'rows' in part ? inset(part, renderOptions) : Promise.resolve(sheet([part], renderOptions, labels)),
  )
  return (await Promise.all(blocks)).join('\n')
}

/** Returns the lines and small tables of one value. */
function outline(
  value: object,
  columns: readonly Column[],
  renderOptions: RenderOptions,
  { style, indent = 0 }: { style: Paint; indent?: number | undefined },
): (SheetLine | Inset)[] {
  const whole: (SheetLine | Inset)[] = []
  for (const { field, label = formatFieldLabel(field) } of columns) {
    const held = pickField(value, field)
    if (isList(held, renderOptions)) {
      whole.push({
        heading: { label, indent, decorate: style.bold },
        rows: held,
        columns: insetColumns(held, value, renderOptions),
      })
    } else if (isNested(held, renderOptions)) {
      const inner = outline(held, inferColumns([held]), renderOptions, { style, indent: indent + 1 })
      if (inner.length > 0) whole.push({ label, indent, decorate: style.bold }, ...inner)
    } else {
      const text = cellText(held, field, renderOptions)
      if (text !== '') whole.push({ label, indent, text, decorate: statusStyle(field, text, style) })
    }
  }
  return whole
}

/**
 * Returns the columns of a small table, without empty ones and without ids beside a name. Other ids and values of the
 * resource itself come last, so that they are omitted first in a narrow terminal.
 */
function insetColumns(
  rows: Record<string, unknown>[],
  owner: object,
  renderOptions: RenderOptions,
): Column[] {
  const named = rows.every((row) => typeof row['name'] === 'string')
  const columns = inferColumns(rows).filter(
    ({ field }) =>
      !(named && field.endsWith('_id')) &&
      rows.some((row) => cellText(row[field], field, renderOptions) !== ''),
  )
  const isMinor = ({ field }: Column) =>
    field.endsWith('_id') || rows.every((row) => row[field] === pickField(owner, field))
  return [...columns.filter((column) => !isMinor(column)), ...columns.filter(isMinor)]
}

async function inset({ heading, rows, columns }: Inset, renderOptions: RenderOptions): Promise<string> {
  const margin = '  '.repeat((heading.indent ?? 0) + 1)
  const text = await renderTextTable(rows, columns, {
    ...renderOptions,
    width: Math.max(20, renderOptions.width - margin.length),
  })
  return [
    sheet([heading], renderOptions),
    ...text.split('\n').map((line) => (line === '' ? '' : margin + line)),
  ].join('\n')
}

function pipedRecord(value: object, columns: readonly Column[], renderOptions: RenderOptions): string {
  const lines: string[] = []
  const visit = (held: unknown, path: string): void => {
    if (isList(held, renderOptions)) for (const [at, item] of held.entries()) visit(item, `${path}.${at}`)
    else if (isNested(held, renderOptions))
      for (const [key, member] of Object.entries(held)) visit(member, `${path}.${key}`)
    else lines.push(`${sanitizeForTerminal(path)}\t${cellText(held, path, renderOptions)}`)
  }
  for (const { field } of columns) visit(pickField(value, field), field)
  return lines.join('\n')
}

function isNested(value: unknown, renderOptions: RenderOptions): value is Record<string, unknown> {
  return isRecord(value) && !isOneThing(value, renderOptions)
}

function isList(value: unknown, renderOptions: RenderOptions): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isNested(item, renderOptions))
}
