/** The world as the service tells it, and who of its people is at work. Pure. */
import type { ControlAnswer } from '../../sandbox/control/index.ts'

export type World = ControlAnswer<'get_world'>
export type Person = World['people'][number]
export type Account = ControlAnswer<'list_accounts'>['data'][number]

/** Returns the time of the world, and its seconds for each second of the machine. */
export function timeOf({ clock: { now, mode, factor } }: Pick<World, 'clock'>): {
  now: number
  rate: number
} {
  return { now: Date.parse(now), rate: mode === 'frozen' ? 0 : mode === 'scaled' ? factor : 1 }
}

/** Returns those who are at work. */
export function atWork(people: readonly Person[]): Person[] {
  return people.filter(({ job }) => job !== null)
}
