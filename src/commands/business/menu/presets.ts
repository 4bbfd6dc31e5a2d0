/**
 * Exports of tools that keep products, recognised by their header. Facts only: the column names of the tools' own
 * exports. Keys are those of `headerKey`.
 */
import type { Preset } from '../../../tabular/columns/columns.ts'
import { truncate } from '../../../tabular/csv/cells.ts'
import { decodeEntities } from '../../../tabular/csv/entities.ts'
import { MENU_FILE_COLUMNS, type MenuColumn } from './columns.ts'
import presets from './presets.json' with { type: 'json' }

/** The cells of one row of an export. */
export type ExportLine = {
  get(key: string): string
  /** The cells whose header key looks so, with their headers as written. */
  matching(key: RegExp): { at: number; header: string; text: string }[]
}

/** The text that a preset derives for a column, and the cells that it comes from. */
export type DerivedText = { text: string; at: readonly number[] } | undefined

export type MenuPreset = Preset<MenuColumn> & {
  /** Adjacent rows that agree in these are one item; a later one may leave them blank, save the first. */
  group: readonly (readonly string[])[]
  /** The headers of what a variation is called, and of what these are names of. */
  variation: { values: readonly string[]; names: readonly string[] }
  /** Texts of the tool as they should stand on a menu. */
  clean: Partial<Record<MenuColumn, (text: string) => string>>
  derive: Partial<Record<MenuColumn, (line: ExportLine) => DerivedText>>
  /** Headers of prices of single places, which are not read. */
  local?: string
  /** Headers of modifiers that the export names without saying what there is to choose from. */
  unexplained?: string
}

/** Exports have modifiers in a form of their own, if at all. */
const OWN_MODIFIERS = MENU_FILE_COLUMNS.flatMap(({ name }) => (name.startsWith('modifier_') ? [name] : []))

/** The text of a description in HTML, one line for each paragraph; text that is none stays as it is. */
export function plainText(html: string): string {
  if (!/<[a-z!/]|&[a-z#]/i.test(html)) return html.trim()
  const blocks = html
    .replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^>]*>/gi, '\n• ')
    .replaceAll(/<br\b[^>]*>|<\/?(?:p|div|ul|ol|h[1-6]|tr|table|blockquote)\b[^>]*>/gi, '\n')
    .replaceAll(/<[a-z/][^>]*>/gi, '')
  const lines = decodeEntities(blocks)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return lines.filter((line) => line !== '').join('\n')
}

/** Returns whole pieces: who sells below 0 does not stop there, and so counts nothing; decimals are cut off. */
function wholePieces(text: string): string {
  if (text.startsWith('-')) return ''
  return /^\d+[.]\d+$/.test(text) ? text.replace(/[.]\d+$/, '') : text
}

/** Texts of the tools as they stand on a menu: the last part of `Drinks > Coffee`; no id that is too long to be one here. */
const CLEAN: MenuPreset['clean'] = {
  category: (text) => text.split('>').at(-1)?.trim() ?? text,
  description: (text) => truncate(plainText(text), 1000),
  external_ref: (text) => (text.length > 64 ? '' : text),
  stock: wholePieces,
  supplier_id: (text) => truncate(text, 64),
}

const isYes = (text: string): boolean => /^(?:y|yes|true|1)$/i.test(text)
const isNo = (text: string): boolean => /^(?:n|no|false|0)$/i.test(text)

/** Returns what adds up the quantities of all places, under headers such as these. */
function piecesBelow(headers: RegExp): (line: ExportLine) => DerivedText {
  return (line) => {
    const counted = line.matching(headers).filter(({ text }) => /^-?\d+(?:\.\d+)?$/.test(text))
    const sum = counted.reduce((total, { text }) => total + Number(wholePieces(text) || 0), 0)
    const isBelow = sum === 0 && counted.some(({ text }) => text.startsWith('-'))
    if (isBelow || counted.length === 0) return undefined
    return { text: String(sum), at: counted.map(({ at }) => at) }
  }
}

/** Returns what reads the one cell below a header that is filled; undefined as its text is nothing. */
function cellBelow(
  header: RegExp,
  read: (text: string) => string | undefined,
): (line: ExportLine) => DerivedText {
  return (line) => {
    const cell = line.matching(header).find((each) => each.text !== '')
    const text = cell && read(cell.text)
    return text === undefined || cell === undefined ? undefined : { text, at: [cell.at] }
  }
}

/** Square keeps an item off sale by two columns, and at each place. */
function squareSale(line: ExportLine): DerivedText {
  const told = line.matching(/^(?:archived|sellable)$/)
  const places = line.matching(/^enabled_/)
  const isOff =
    told.some(({ header, text }) => (/archived/i.test(header) ? isYes(text) : isNo(text))) ||
    (places.length > 0 && places.every(({ text }) => isNo(text)))
  const at = [...told, ...places].map((each) => each.at)
  return at.length === 0 ? undefined : { text: isOff ? 'no' : 'yes', at }
}

/** WooCommerce keeps an item off sale by three columns: a draft is -1, a private one 0. */
function wooSale(line: ExportLine): DerivedText {
  const told = line
    .matching(/^(?:published|visibility_in_catalog|in_stock)$/)
    .filter(({ text }) => text !== '')
  const isOff = told.some(({ text }) => isNo(text) || /^(?:-1|hidden)$/i.test(text))
  return told.length === 0 ? undefined : { text: isOff ? 'no' : 'yes', at: told.map(({ at }) => at) }
}

/** Square has a column for each tax, with the rate in its header. */
function squareTax(line: ExportLine): DerivedText {
  const taxes = line.matching(/^tax_/).filter(({ text }) => isYes(text))
  const rates = taxes.flatMap(({ header }) => /\((\d+(?:\.\d+)?)\s*%\)/.exec(header)?.[1] ?? [])
  const sum = rates.reduce((total, rate) => total + Number(rate), 0)
  if (rates.length === 0) return undefined
  return { text: `${Math.round(sum * 100) / 100}%`, at: taxes.map(({ at }) => at) }
}

/** Tags that say who may eat what; a shop's tags say much else. */
const DIETARY =
  /^(?:vegan|vegetarian|halal|kosher|organic|(?:gluten|dairy|lactose|nut|egg|soy|sugar|alcohol)[ _-]?free|plant[ _-]based|keto|paleo|pescatarian|low[ _-](?:carb|fat|sugar|salt))$/i

function dietaryTags(text: string): string | undefined {
  const found = text.split(',').flatMap((tag) => (DIETARY.test(tag.trim()) ? tag.trim() : []))
  return found.map((tag) => tag.toLowerCase().replaceAll(/[ -]/g, '_')).join('|') || undefined
}

const statusSale = cellBelow(/^status$/, (text) => (/^active$/i.test(text) ? 'yes' : 'no'))
const publishedSale = cellBelow(/^published$/, (text) => (isYes(text) ? 'yes' : 'no'))

/** The differences between the files of each tool and a menu. */
const WAYS: Readonly<
  Record<keyof typeof presets, { derive: MenuPreset['derive']; clean?: MenuPreset['clean'] }>
> = {
  'square-items': {
    derive: { available: squareSale, stock: piecesBelow(/^current_quantity_/), tax_rate: squareTax },
  },
  'shopify-products': {
    derive: {
      available: (line) => statusSale(line) ?? publishedSale(line),
      dietary: cellBelow(/^tags$/, dietaryTags),
      tax_rate: cellBelow(/^(?:variant_taxable|charge_tax)$/, (text) => (isNo(text) ? '0' : undefined)),
    },
  },
  lightspeed: { derive: { stock: piecesBelow(/^inventory_/) } },
  'woocommerce-products': {
    clean: {
      category: (text) => text.split(',')[0]?.split('>').at(-1)?.trim() ?? text,
      // It writes the end of a line as a backslash and an n.
      description: (text) => truncate(plainText(text.replaceAll(String.raw`\n`, '\n')), 1000),
    },
    derive: { available: wooSale, dietary: cellBelow(/^tags$/, dietaryTags) },
  },
  clover: {
    clean: { category: (text) => text.split(',')[0]?.trim() ?? text },
    derive: { tax_rate: cellBelow(/^tax_rates$/, (text) => /\d+(?:\.\d+)?\s*%/.exec(text)?.[0]) },
  },
}

/** `test/tabular/data.test.ts` holds their shape. */
export const PRESETS = Object.entries(presets).map(([name, facts]): MenuPreset => {
  const { derive, clean } = WAYS[name as keyof typeof presets]
  return { ...facts, name, derive, clean: { ...CLEAN, ...clean }, without: OWN_MODIFIERS }
})
