/** The rows of a ticket: what is cooked, what is ticked, what left, and the words above and below them. Pure. */
import { findAllergyWord, formatAllergens, isAllergenNamed } from '../../areas/orders/rules/allergens.ts'
import { type KitchenRow, kitchenRows } from '../../areas/orders/rules/kitchen-lines.ts'
import { notesOf } from '../../areas/orders/rules/waiting.ts'
import { problemNotes } from '../../areas/orders/rules/wrong-words.ts'
import { howWords, type Order, paymentWords, shortTimeOn } from './order.ts'

/** The warning of a ticket: a customer's note about an allergy, with the item that it is on. */
export type AllergyNote = { word: 'ALLERGY' | 'AVOID'; of: string | undefined; text: string }

export type TicketRow = KitchenRow & {
  /** The allergens that the customer named, `contains …` where the notes name none, or that none are listed. */
  marks: readonly string[]
  contains: string | undefined
}

/** The lines of a ticket: all of its order besides state and time. */
export type TicketContent = {
  warnings: readonly AllergyNote[]
  /** The rows to cook, and those that left the order. */
  cooked: readonly TicketRow[]
  gone: readonly TicketRow[]
  notes: readonly { text: string; of: string | undefined; kind: 'note' | 'changed' }[]
}

/** Returns what a ticket shows of its order. */
export function contentOf(order: Order): TicketContent {
  const all = notesOf(order)
  const warnings = all.flatMap(({ text, of }): AllergyNote[] => {
    const word = findAllergyWord(text)
    return word === undefined ? [] : [{ word, of, text }]
  })
  const rows = kitchenRows(order).map((row) => withMarks(order, row))
  return {
    warnings,
    cooked: rows.filter(({ leaving }) => leaving === undefined),
    gone: rows.filter(({ leaving }) => leaving !== undefined),
    notes: [
      ...problemNotes(order).map((text) => ({ text, of: undefined, kind: 'changed' as const })),
      ...all.flatMap(({ text, of, allergy }) => (allergy ? [] : [{ text, of, kind: 'note' as const }])),
    ],
  }
}

function withMarks({ notes, lines }: Order, row: KitchenRow): TicketRow {
  const { listed, named } = row.warning
  // A replacement `line_1.1` is read under the notes of its line.
  const line = lines.find(({ line_id }) => line_id === row.line_id.split('.', 1)[0])
  const warnings = [notes, line?.notes].filter(
    (note) => note && findAllergyWord(note) !== undefined,
  ) as string[]
  const isPlain = row.leaving !== undefined || warnings.length === 0
  const isNone = listed.length === 0
  // The customer names what to avoid: the other allergens of a dish do not matter.
  const isSilent = isPlain || (!isNone && isAllergenNamed(warnings))
  return {
    ...row,
    marks: row.leaving === undefined ? named : [],
    contains: isSilent ? undefined : isNone ? 'no allergens listed' : formatAllergens(row.warning),
  }
}

/** A choice that leaves something out is printed strong: `no onion`. */
export function isLeftOut(choice: string): boolean {
  return /^(?:no|without|sans|ohne) /i.test(choice)
}

/** Returns `prawn` or `prawn × 2`. */
export function choiceWords({ name, quantity }: { name: string; quantity: number }): string {
  return quantity > 1 ? `${name} × ${quantity}` : name
}

/** Returns `for Sun 20:00, Delivery, Priya, cash`: what may be cut stands last. */
export function bandWords(order: Order, now: number): string {
  const { slot, customer, status } = order
  const wanted = slot === null || status !== 'placed' ? [] : [`for ${shortTimeOn(slot.starts_at, now)}`]
  const owed = paymentWords(order)
  return [
    ...wanted,
    howWords(order),
    customer.first_name,
    ...(owed === undefined ? [] : [owed.toLowerCase()]),
  ].join(', ')
}

/** Returns `2 Pad Thai, Cola` for a ticket that has nothing to cook any more, or not yet. */
export function shortLineWords({ cooked }: TicketContent): string {
  return cooked.map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} ${name}`)).join(', ')
}
