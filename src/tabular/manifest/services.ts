/** Words of a file for the way in which a parcel goes, where they name no service level: asked about, or rejected. */
import {
  SERVICE_LEVEL_CODES,
  SERVICE_LEVELS,
  type ServiceLevelCode,
} from '../../areas/carrier/rules/rates.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { findCellText, headerOf } from '../columns/cell-text.ts'
import { truncate } from '../csv/cells.ts'
import type { FilePrompts, ImportPrompts } from '../import/prompts.ts'
import { pluralize } from '../wording.ts'
import { readServiceLevel } from './cells.ts'
import { type ManifestMapping } from './kind.ts'
import type { ManifestOrder } from './skipped-orders.ts'

/** The level that the service gives to parcels which name none. */
export const USUAL_LEVEL: ServiceLevelCode = 'next_day'

/** A column of more words is hardly one of services: nothing is asked, and its rows are rejected. */
const MAX_ASKED_WORDS = 12

/** The words of the parcels that are sent which name no level, by the number of these, and whether others name one. */
export type ServiceWords = { unknown: ReadonlyMap<string, number>; areMixed: boolean }

/** Returns the words for services of the orders that are sent. */
export function findServiceWords(mapping: ManifestMapping, orders: readonly ManifestOrder[]): ServiceWords {
  const words = new Map<string, number>()
  for (const { rows, skipReasons } of orders) {
    const [row] = rows
    const text =
      skipReasons.length > 0 || row === undefined
        ? undefined
        : findCellText(row, 'service_level', mapping)?.text
    if (text !== undefined) words.set(text, (words.get(text) ?? 0) + 1)
  }
  const unknown = new Map(
    [...words].filter(([word]) => 'fault' in readServiceLevel(word, mapping.preset?.services)),
  )
  return { unknown, areMixed: words.size > 1 }
}

/**
 * Returns the level of parcels whose word names none, in the export of a shop: the one that was `given` for such, or the usual
 * one where all have one and the same word, so that no buyer has chosen another. Undefined where their rows are rejected.
 */
export function levelOfUnknown(
  { sources, defaults }: ManifestMapping,
  { areMixed }: ServiceWords,
  given?: ServiceLevelCode,
): { level: string | undefined; isGiven: boolean } {
  const isOfShop = sources.get('service_level')?.how === 'preset'
  const own = isOfShop ? (defaults.get('service_level') ?? given) : undefined
  return { level: own ?? (isOfShop && !areMixed ? USUAL_LEVEL : undefined), isGiven: own !== undefined }
}

/** Asks which level each unknown word stands for. Returns the mapping with the answers, as `--map-value` gives them. */
export async function askServices(
  mapping: ManifestMapping,
  { unknown, areMixed }: ServiceWords,
  { ask, answered }: { ask: FilePrompts; answered: ImportPrompts['answered'] },
): Promise<ManifestMapping> {
  const values = new Map(mapping.values)
  const header = headerOf(mapping, 'service_level')
  for (const [word, count] of unknown.size > MAX_ASKED_WORDS ? [] : unknown) {
    const likely = likelyLevel(word, areMixed)
    const levels = SERVICE_LEVELS.toSorted((a, b) => Number(b.code === likely) - Number(a.code === likely))
    const level = await ask.select({
      message: `${header} ${JSON.stringify(truncate(word, 40))} (${pluralize(count, '{1 parcel|# parcels}')}) is no service level. Send by`,
      choices: levels.map(({ code, name }) => ({ value: code, name })),
    })
    values.set(`service_level:${word.toLowerCase()}`, level)
    answered.push({ flag: '--map-value', value: `service_level:${word}=${level}` })
  }
  return { ...mapping, values }
}

/** Words of buyers who pay for speed. */
const FAST = /expr[eé]s|expedit|priorit|premium|rush|urgent|fast|quick|first class|1st class|eil|pilne/i

/** The level that comes first in the question: beside other words a plain one is what the cheapest level is there. */
function likelyLevel(word: string, areMixed: boolean): ServiceLevelCode {
  const near = findClosestWord(word.toLowerCase(), SERVICE_LEVEL_CODES)
  const misspelt = SERVICE_LEVEL_CODES.find((code) => code === near)
  return misspelt ?? (FAST.test(word) || !areMixed ? USUAL_LEVEL : 'economy')
}
