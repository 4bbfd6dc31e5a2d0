/** The columns that this browser keeps for the next sheet with the same headers. */
import { SESSION } from '../../core/session.ts'

export type Maps = Readonly<Record<string, Readonly<Record<string, string>>>>

const KEY = `dray-upload-maps-${SESSION.account}`

/** They travel with each sheet, in a header. */
const MAX_SAVED_MAPS = 6

export function readSavedMaps(): Maps {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Maps
  } catch {
    return {}
  }
}

export function saveMaps(maps: Maps): void {
  localStorage.setItem(KEY, JSON.stringify(maps))
}

/** Returns the maps with a new one at their head, in place of that with the same name or headers. */
export function withMap(maps: Maps, file: string, map: Maps[string]): Maps {
  const name = file.replace(/\.\w+$/, '').slice(0, 60)
  const headers = headersOf(map)
  const others = Object.entries(maps).filter(([other, each]) => other !== name && headersOf(each) !== headers)
  return Object.fromEntries([[name, map], ...others].slice(0, MAX_SAVED_MAPS))
}

export function withoutMap(maps: Maps, name: string): Maps {
  return Object.fromEntries(Object.entries(maps).filter(([other]) => other !== name))
}

/** Fields such as `service_level:y` say what a word stands for, and name no header. */
function headersOf({ weight_unit: _weight, length_unit: _length, ...columns }: Maps[string]): string {
  const headers = Object.entries(columns).flatMap(([name, header]) => (name.includes(':') ? [] : header))
  return JSON.stringify(headers.toSorted())
}
