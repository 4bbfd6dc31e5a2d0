/** A menu as a person reads it: sections, dishes with their prices, what is in them and what can be chosen. */
import type { ModifierGroup } from '../../areas/catalog/rules/modifiers.ts'
import { cellText } from '../../cli/output/cell.ts'
import { makePaint, type Paint } from '../../cli/output/colour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import {
  sanitizeForTerminal,
  truncateToWidth,
  measureTextWidth,
  wrapText,
  unbroken,
  wrapPieces,
} from '../../cli/output/text.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import type { Menu, MenuItem } from '../items.ts'

/** Beyond this a price stands too far from its dish. */
const MAX_MENU_WIDTH = 84

/** The lines of a menu; `name` is the store's, where it is known. */
export function menuText(
  { categories }: Menu,
  name: string | undefined,
  renderOptions: RenderOptions,
): string {
  const style = makePaint(renderOptions.colour)
  const look = { ...renderOptions, width: Math.min(renderOptions.width, MAX_MENU_WIDTH) }
  const head =
    name === undefined ? [] : [style.bold(truncateToWidth(sanitizeForTerminal(name), look.width)), '']
  const sections = categories.map((section) =>
    [
      style.bold(truncateToWidth(sanitizeForTerminal(section.name).toUpperCase(), look.width)),
      ...section.items.map((item) => itemText(item, look, style)),
    ].join('\n'),
  )
  return [...head, sections.join('\n\n')].join('\n')
}

function itemText(item: MenuItem, renderOptions: RenderOptions, style: Paint): string {
  const inner = renderOptions.width - 4
  const indent = (lines: readonly string[], decorate: (text: string) => string = (text) => text): string[] =>
    lines.map((line) => `    ${decorate(line)}`)
  const facts = factsOf(item)
  return [
    titleLine(item, renderOptions, style),
    ...(item.description === null
      ? []
      : indent(wrapText(sanitizeForTerminal(item.description), inner), style.dim)),
    ...(facts.length === 0 ? [] : indent(wrapText(facts.join(' '), inner))),
    ...item.modifier_groups.flatMap((group) => indent(wrapPieces(groupLine(group), inner))),
  ].join('\n')
}

/** The allergens and the diets of a dish, a sentence each. */
export function factsOf({ allergens, dietary_tags: tags }: MenuItem): string[] {
  return [
    ...(allergens.length === 0 ? [] : [`Contains ${words(allergens)}.`]),
    ...(tags.length === 0 ? [] : [capital(`${words(tags)}.`)]),
  ]
}

/** The dish at the left, its price at the right; on a narrow terminal the price never gives way. */
function titleLine(item: MenuItem, renderOptions: RenderOptions, style: Paint): string {
  const price = formatGroupedMoney(item.price)
  const gone = item.available ? '' : soldOut(item, renderOptions)
  if (renderOptions.accessible === true)
    return `  ${sanitizeForTerminal(item.name)}, ${price}${gone === '' ? '' : `, ${gone}`}`
  const room = renderOptions.width - 4 - measureTextWidth(price)
  const note = gone === '' ? '' : ` (${gone})`
  const name = truncateToWidth(sanitizeForTerminal(item.name), Math.max(8, room))
  const fits = measureTextWidth(name) + measureTextWidth(note) <= room
  const shown = gone === '' ? style.bold(name) : style.dim(name) + (fits ? style.yellow(note) : '')
  const space = ' '.repeat(Math.max(0, room - measureTextWidth(name) - (fits ? measureTextWidth(note) : 0)))
  const line = `  ${shown}${space}  ${price}`
  return fits ? line : `${line}\n    ${style.yellow(gone)}`
}

function soldOut({ unavailable_until: until }: MenuItem, renderOptions: RenderOptions): string {
  return until === null ? 'sold out' : `available from ${cellText(until, 'unavailable_until', renderOptions)}`
}

/** `Protein, choose 1: Tofu, Chicken +£0.80` */
function groupLine(group: ModifierGroup): string {
  const choices = group.modifiers.map((modifier) => unbroken(modifierWords(modifier)))
  return `${unbroken(sanitizeForTerminal(group.name))}, ${unbroken(limits(group))}: ${choices.join(', ')}`
}

/** `Chicken +£0.80`, `Morning glory +£1.80 (sold out)` */
export function modifierWords({ name, price_delta, available }: ModifierGroup['modifiers'][number]): string {
  const price = price_delta.amount === 0 ? '' : ` +${formatGroupedMoney(price_delta)}`
  return `${sanitizeForTerminal(name)}${price}${available ? '' : ' (sold out)'}`
}

/** `choose 1`, `choose 1 to 3`, `up to 3`, `as many as you like`. */
export function limits({
  min_selections: min,
  max_selections: max,
}: Pick<ModifierGroup, 'min_selections' | 'max_selections'>): string {
  if (max === null) return min === 0 ? 'as many as you like' : `choose ${min} or more`
  if (min === max) return `choose ${min}`
  return min === 0 ? `up to ${max}` : `choose ${min} to ${max}`
}

function words(slugs: readonly string[]): string {
  return slugs.map((slug) => sanitizeForTerminal(slug).replaceAll('_', ' ')).join(', ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
