import type { AnyOperation, AnySandboxOperation, Column } from '../core/operation.ts'
import { type FlagSchema, withoutNull } from './flags.ts'

/** Returns the columns that an operation names, each with its own label or else that of its schema. */
export function labelColumns(
  { output }: AnyOperation | AnySandboxOperation,
  hints: readonly (string | Column)[],
): Column[] {
  const answer = output as unknown as FlagSchema
  const row = answer.properties?.['data']?.items ?? answer
  return hints.map((hint) => {
    const column = typeof hint === 'string' ? { field: hint } : hint
    const { field, label = labelIn(row, column.field), dropOrder } = column
    return { field, ...(label !== undefined && { label }), ...(dropOrder !== undefined && { dropOrder }) }
  })
}

/** Returns the label of a field. A name without its own has that of what it names: `dropoff.name` that of `dropoff`. */
function labelIn(row: FlagSchema | undefined, field: string): string | undefined {
  let held = row
  let inherited: string | undefined
  for (const name of field.split('.')) {
    held = held && withoutNull(held).properties?.[name]
    inherited = held?.label ?? inherited
  }
  return field.endsWith('.name') ? inherited : held?.label
}
