import type { Expected } from '../csv/header.ts'
import { headerKey } from '../csv/keys.ts'
import { type FileKind, findPreset, type Keys } from './columns.ts'
import { findVague, ownKey } from './dictionary.ts'

/**
 * Returns the rules that recognise the header of this kind of file. `mapped` are keys of headers that flags and saved
 * maps name.
 */
export function expectedHeader(kind: FileKind, mapped: ReadonlySet<string> = new Set()): Expected {
  return {
    row: kind.row,
    template: kind.template,
    required: kind.columns.flatMap(({ name, required }) => (required ? [name] : [])),
    columnsOf(cells) {
      const keys = cells.map(headerKey)
      const preset = findPreset(kind.presets, keys)
      const known = new Set(
        Object.values(preset?.sources ?? {}).flatMap((choices = []) => choices.flatMap(keysOf)),
      )
      return keys.map((key) => {
        if (key === '') return undefined
        const column =
          kind.matchHeader(key)?.column ?? kind.matchHeader(ownKey(kind.dictionary, key) ?? '')?.column
        if (column !== undefined) return column
        return known.has(key) || mapped.has(key) || findVague(kind.dictionary, key) !== undefined
          ? key
          : undefined
      })
    },
  }
}

function keysOf(keys: Keys): readonly string[] {
  return typeof keys === 'string' ? [keys] : keys.join
}
