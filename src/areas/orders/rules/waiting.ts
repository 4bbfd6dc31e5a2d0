/** How long an order may still wait, and what its kitchen must notice. */
import type { OrderStatus } from '../states.ts'
import { acceptDeadline } from './accept-deadline.ts'

/** So little is left to accept an order that it becomes urgent. */
export const URGENT_MS = 120_000

type Waiting = {
  status: OrderStatus
  placed_at: string
  slot: { starts_at: string } | null
  prep: { prep_time_minutes: number }
}

/** Returns how long is left until an order that nobody accepts is rejected; undefined once it is accepted. */
export function timeToAccept({ status, placed_at, slot, prep }: Waiting, now: number): number | undefined {
  if (status !== 'placed') return undefined
  const from = Date.parse(placed_at)
  const scheduledFor = slot === null ? null : Date.parse(slot.starts_at)
  return acceptDeadline({ from, scheduledFor, prepMinutes: prep.prep_time_minutes, opens: from }) - now
}

const ALLERGY = /allerg|anaphyla|intoleran|c(?:o|œ)eliac|celiac|epi-?pen/i

type Noted = { notes: string | null; lines: readonly { notes: string | null }[] }

/** Returns what the kitchen must notice: `ALLERGY`, `NOTE`, or undefined. */
export function alertOf({ notes, lines }: Noted): 'ALLERGY' | 'NOTE' | undefined {
  const said = [notes, ...lines.map((line) => line.notes)].filter((note) => note !== null)
  if (said.some(isAllergy)) return 'ALLERGY'
  return said.length > 0 ? 'NOTE' : undefined
}

/** Returns whether a note is about an allergy, as far as its words tell. */
export function isAllergy(note: string): boolean {
  return ALLERGY.test(note)
}
