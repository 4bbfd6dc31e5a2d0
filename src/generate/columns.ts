import type { AnyOperation, AnySandboxOperation, Column } from '../core/operation.ts'
import { isList, type Schema, withoutNull } from './flags.ts'

/** Returns the columns that an operation names, each with its own label or else that of its schema. */
export function columnsOf(
  { output }: AnyOperation | AnySandboxOperation,
  hints: readonly (string | Column)[],
): Column[] {
  const answer = output as unknown as Schema
  const row = isList(output) ? answer.properties?.['data']?.items : answer
  return hints.map((hint) => {
    const column = typeof hint === 'string' ? { field: hint } : hint
    const { field, label = labelIn(row, column.field), gives } = column
    return { field, ...(label !== undefined && { label }), ...(gives !== undefined && { gives }) }
  })
}

function labelIn(row: Schema | undefined, field: string): string | undefined {
  const names = field.split('.')
  return names.reduce((held, name) => held && withoutNull(held).properties?.[name], row)?.label
}
