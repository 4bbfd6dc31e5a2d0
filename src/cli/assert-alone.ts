import { AppError } from '../core/errors.ts'

/**
 * Throws AppError('usage') where something was typed beside a flag or an argument that excludes it. `others` are its values by their
 * names on the line, such as `--status`; undefined for what was not typed.
 */
export function assertExclusiveFlag(name: string, others: Readonly<Record<string, unknown>>): void {
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined)
    throw new AppError('usage', `${name} and ${other} exclude each other; use one of them.`)
}
