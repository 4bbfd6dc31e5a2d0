/**
 * Exports of tools that keep products, recognised by their header. Facts only: the column names of the tools' own
 * exports. Keys are those of `headerKey`.
 */
import type { Preset } from '../../../rows/columns/columns.ts'
import { clip } from '../../../rows/csv/cells.ts'
import { COLUMNS, type MenuColumn } from './columns.ts'
import { plainText } from './html.ts'
import presets from './presets.json' with { type: 'json' }

/** The cells of one row of an export. */
export type Line = {
  get(key: string): string
  /** The cells whose header key looks so, with their headers as written. */
  matching(key: RegExp): { at: number; header: string; text: string }[]
}

/** The text that a preset derives for a column, and the cells that it comes from. */
export type Derived = { text: string; at: readonly number[] } | undefined

export type MenuPreset = Preset<MenuColumn> & {
  /** Adjacent rows that agree in these are one item; a later one may leave them blank, save the first. */
  group: readonly (readonly string[])[]
  /** The headers of what a variation is called, and of what these are names of. */
  variation: { values: readonly string[]; names: readonly string[] }
  /** Texts of the tool as they should stand on a menu. */
  clean: Partial<Record<MenuColumn, (text: string) => string>>
  derive: Partial<Record<MenuColumn, (line: Line) => Derived>>
  /** Headers of prices of single places, which are not read. */
  local?: RegExp
  /** Headers of modifiers that the export names without saying what there is to choose from. */
  unexplained?: RegExp
}

/** Exports have modifiers in a form of their own, if at all. */
const OWN_MODIFIERS = COLUMNS.flatMap(({ name }) => (name.startsWith('modifier_') ? [name] : []))

/** The last part of a path such as `Drinks > Coffee`. */
function lastPart(text: string): string {
  return text.split('>').at(-1)?.trim() ?? text
}

/** Returns whole pieces: negative stock counts as none, and decimals are cut off. */
function wholePieces(text: string): string {
  if (text.startsWith('-')) return '0'
  return /^\d+[.]\d+$/.test(text) ? text.replace(/[.]\d+$/, '') : text
}

/** An id that is too long to be one here would refuse the item. */
function fitting(text: string): string {
  return text.length > 64 ? '' : text
}

const isYes = (text: string): boolean => /^(?:y|yes|true|1)$/i.test(text)
const isNo = (text: string): boolean => /^(?:n|no|false|0)$/i.test(text)

/** The quantities of all places together. */
function sumOf(cells: readonly { at: number; text: string }[]): Derived {
  const counted = cells.filter(({ text }) => /^-?\d+(?:\.\d+)?$/.test(text))
  if (counted.length === 0) return undefined
  const sum = counted.reduce((total, { text }) => total + Number(wholePieces(text)), 0)
  return { text: String(sum), at: counted.map(({ at }) => at) }
}

/** Tags that say what may be eaten by whom; a shop's tags say much else. */
const DIETARY =
  /^(?:vegan|vegetarian|halal|kosher|organic|(?:gluten|dairy|lactose|nut|egg|soy|sugar|alcohol)[ _-]?free|plant[ _-]based|keto|paleo|pescatarian|low[ _-](?:carb|fat|sugar|salt))$/i

/** The differences between the files of each tool and a menu. */
const WAYS: Readonly<Record<keyof typeof presets, Pick<MenuPreset, 'clean' | 'derive'>>> = {
  'square-items': {
    clean: {
      category: lastPart,
      description: (text) => clip(plainText(text), 1000),
      external_ref: fitting,
      supplier_id: (text) => clip(text, 64),
    },
    derive: {
      available: (line) => {
        const told = line.matching(/^(?:archived|sellable)$/)
        const places = line.matching(/^enabled_/)
        const isOff =
          told.some(({ header, text }) => (/archived/i.test(header) ? isYes(text) : isNo(text))) ||
          (places.length > 0 && places.every(({ text }) => isNo(text)))
        const at = [...told, ...places].map((each) => each.at)
        return at.length === 0 ? undefined : { text: isOff ? 'no' : 'yes', at }
      },
      stock: (line) => sumOf(line.matching(/^current_quantity_/)),
      tax_rate: (line) => {
        const taxes = line.matching(/^tax_/).filter(({ text }) => isYes(text))
        const rates = taxes.flatMap(({ header }) => {
          const rate = /\((\d+(?:\.\d+)?)\s*%\)/.exec(header)?.[1]
          return rate === undefined ? [] : [Number(rate)]
        })
        if (rates.length === 0) return undefined
        const sum = rates.reduce((total, rate) => total + rate, 0)
        return { text: `${Math.round(sum * 100) / 100}%`, at: taxes.map(({ at }) => at) }
      },
    },
  },
  'shopify-products': {
    clean: {
      category: lastPart,
      description: (text) => clip(plainText(text), 1000),
      external_ref: fitting,
      stock: wholePieces,
      supplier_id: (text) => clip(text, 64),
    },
    derive: {
      available: (line) => {
        const [status] = line.matching(/^status$/)
        if (status !== undefined && status.text !== '')
          return { text: /^active$/i.test(status.text) ? 'yes' : 'no', at: [status.at] }
        const [published] = line.matching(/^published$/)
        return published === undefined || published.text === ''
          ? undefined
          : { text: isYes(published.text) ? 'yes' : 'no', at: [published.at] }
      },
      dietary: (line) => {
        const [tags] = line.matching(/^tags$/)
        const found = (tags?.text ?? '')
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => DIETARY.test(tag))
          .map((tag) => tag.toLowerCase().replaceAll(/[ -]/g, '_'))
        return tags === undefined || found.length === 0 ? undefined : { text: found.join('|'), at: [tags.at] }
      },
      tax_rate: (line) => {
        const [taxed] = line.matching(/^(?:variant_taxable|charge_tax)$/)
        return taxed !== undefined && isNo(taxed.text) ? { text: '0', at: [taxed.at] } : undefined
      },
    },
  },
  lightspeed: {
    clean: { description: (text) => clip(plainText(text), 1000), supplier_id: (text) => clip(text, 64) },
    derive: { stock: (line) => sumOf(line.matching(/^inventory_/)) },
  },
  clover: {
    clean: { category: (text) => text.split(',')[0]?.trim() ?? text },
    derive: {
      tax_rate: (line) => {
        const [taxes] = line.matching(/^tax_rates$/)
        const rate = /(\d+(?:\.\d+)?)\s*%/.exec(taxes?.text ?? '')?.[1]
        return taxes === undefined || rate === undefined ? undefined : { text: `${rate}%`, at: [taxes.at] }
      },
    },
  },
}

/** The facts of all presets. */
type Facts = Omit<MenuPreset, 'name' | 'clean' | 'derive' | 'reads' | 'local' | 'unexplained'> & {
  reads: string
  local?: string
  unexplained?: string
}

/** `test/rows/data.test.ts` holds their shape. */
export const PRESETS = Object.entries(presets as Record<keyof typeof presets, Facts>).map(
  ([name, { reads, local, unexplained, ...facts }]): MenuPreset => ({
    ...facts,
    ...WAYS[name as keyof typeof presets],
    name,
    without: OWN_MODIFIERS,
    reads: new RegExp(reads),
    ...(local !== undefined && { local: new RegExp(local) }),
    ...(unexplained !== undefined && { unexplained: new RegExp(unexplained) }),
  }),
)
