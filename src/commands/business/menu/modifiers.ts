/**
 * Groups of modifiers in one cell: `Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80`.
 * The star is a default; a backslash takes the meaning from `;:|=[]*\` (docs/rules/files.md#a-group-of-choices-fits-in-one-cell).
 */
import type { ModifierGroupRequest, ModifierRequest } from '../../../areas/catalog/rules/catalog.ts'
import type { ModifierGroup } from '../../../areas/catalog/rules/modifiers.ts'
import { quoteForError } from '../../../core/decimal.ts'
import { formatMajorUnits, type Money } from '../../../core/money.ts'
import { makeCellIssue, type ParseResult, readMoney } from '../../../tabular/csv/cells.ts'
import { cutAt, splitUnescaped, withEscapes, withoutEscapes } from './escapes.ts'

/** The most of each that the service takes. */
export const MAX_MODIFIER_GROUPS = 20
export const MAX_GROUP_MODIFIERS = 50
const MAX_MODIFIER_NAME_LENGTH = 120

/** All groups of a cell; amounts that name no currency are of `currency`. */
export function parseModifierGroups(text: string, currency: string): ParseResult<ModifierGroupRequest[]> {
  const groups: ModifierGroupRequest[] = []
  for (const part of splitUnescaped(text, ';').filter((each) => each.trim() !== '')) {
    const reading = readGroup(part.trim(), currency)
    if ('fault' in reading) return reading
    groups.push(reading.value)
  }
  return groups.length > MAX_MODIFIER_GROUPS
    ? makeCellIssue('too_many', `An item has at most ${MAX_MODIFIER_GROUPS} groups of modifiers.`)
    : { value: groups }
}

/** Writes groups as `parseModifierGroups` reads them. The sale of a choice and repeats have no sign; the item keeps them. */
export function writeGroups(groups: readonly ModifierGroup[]): string {
  const escaped = (name: string): string => withEscapes(name, /[;:|=[\]*\\]/g)
  return groups
    .map(({ name, min_selections: min, max_selections: max, modifiers }) => {
      const options = modifiers.map(
        ({ name: option, price_delta: price, is_default }) =>
          `${is_default ? '*' : ''}${escaped(option)}=${formatMajorUnits(price)}`,
      )
      return `${escaped(name)}[${min}-${max ?? '*'}]: ${options.join(' | ')}`
    })
    .join('; ')
}

function readGroup(text: string, currency: string): ParseResult<ModifierGroupRequest> {
  const [head, tail] = cutAt(text, ':') ?? []
  if (head === undefined || tail === undefined) {
    return malformed(`${quoteForError(text)} needs a colon before its modifiers`)
  }
  const [name, rest] = cutAt(head, '[') ?? []
  if (name === undefined || rest === undefined)
    return malformed(`${quoteForError(head.trim())} needs the number of selections, such as [1-1]`)
  const range = /^\s*(\d{1,3})\s*-\s*(\d{1,3}|\*)\s*\]\s*$/.exec(rest)
  if (range === null) return malformed(`${quoteForError(`[${rest.trim()}`)} is not [least-most] or [least-*]`)
  const named = readName(name, 'group')
  if ('fault' in named) return named
  const modifiers: ModifierRequest[] = []
  for (const part of splitUnescaped(tail, '|')) {
    const reading = readOption(part.trim(), named.value, currency)
    if ('fault' in reading) return reading
    modifiers.push(reading.value)
  }
  if (modifiers.length > MAX_GROUP_MODIFIERS)
    return makeCellIssue('too_many', `${named.value} has more than ${MAX_GROUP_MODIFIERS} modifiers.`)
  const [, least, most] = range
  return {
    value: {
      name: named.value,
      min_selections: Number(least),
      max_selections: most === '*' ? null : mostOf(Number(most), modifiers.length),
      modifiers,
    },
  }
}

/** Parses the surcharge of a modifier: `1.50`, or `+1.50` as menus print it. */
export function readSurcharge(text: string, currency: string): ParseResult<Money> {
  return readMoney(text.trim().replace(/^\+\s*/, ''), currency)
}

/** Up to three of two is up to two: menus grow and shrink faster than their limits. */
export function mostOf(most: number, modifiers: number): number {
  return Math.min(most, modifiers)
}

function readOption(text: string, group: string, currency: string): ParseResult<ModifierRequest> {
  const isDefault = text.startsWith('*')
  const option = isDefault ? text.slice(1) : text
  const [label = option, amount] = cutAt(option, '=') ?? []
  const name = readName(label, `option of ${group}`)
  if ('fault' in name) return name
  const preset = isDefault && { is_default: true }
  // A new option without an amount costs nothing; one that is there keeps its price.
  if (amount === undefined) return { value: { name: name.value, ...preset } }
  const price = readSurcharge(withoutEscapes(amount), currency)
  return 'fault' in price
    ? makeCellIssue(price.fault.code, `${name.value}: ${price.fault.detail}`, price.fault.suggestion)
    : { value: { name: name.value, price_delta: price.value, ...preset } }
}

function readName(text: string, what: string): ParseResult<string> {
  const name = withoutEscapes(text).trim()
  if (name === '') return malformed(`an ${what.startsWith('option') ? what : 'unnamed group'} has no name`)
  const length = Array.from(name).length
  return length > MAX_MODIFIER_NAME_LENGTH
    ? makeCellIssue(
        'too_long',
        `The name of a modifier has ${length} characters; at most ${MAX_MODIFIER_NAME_LENGTH} fit.`,
      )
    : { value: name }
}

function malformed(what: string): ReturnType<typeof makeCellIssue> {
  return makeCellIssue(
    'invalid_format',
    `${what.charAt(0).toUpperCase()}${what.slice(1)}; write Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80.`,
  )
}
