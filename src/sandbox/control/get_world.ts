import * as Type from 'typebox'
import { listAllHubs } from '../../areas/carrier/store/hubs.ts'
import { listStoreSpots } from '../../areas/merchants/store.ts'
import { LAST_INSTANT } from '../../core/clock.ts'
import { closed, instant, orNull, point } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { listLastEvents } from '../../store/events.ts'
import { listDue } from '../../store/timeline.ts'
import { CREWS, type Job, listPeople } from '../people.ts'
import { catchUp, viewClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'

const MOST_PEOPLE = 400
const MOST_PLACES = 200
const MOST_EVENTS = 30

const job = closed({
  resource_id: Type.String(),
  kind: Type.String(),
  order_id: orNull(Type.String()),
  account_id: Type.String(),
  status: Type.String(),
  from: Type.String(),
  to: Type.String(),
  leg: orNull(closed({ path: Type.Array(point), starts_at: instant, ends_at: instant })),
  next: closed({ event: Type.String(), due_at: instant }),
})

export const getWorld = defineControl({
  name: 'get_world',
  method: 'GET',
  path: '/sandbox/world',
  summary: 'Show the people of the sandbox with their positions and work, and the next and latest events',
  input: closed({}),
  output: closed({
    clock,
    people: Type.Array(
      closed({
        person_id: Type.String(),
        crew: Type.Enum(CREWS),
        name: Type.String(),
        vehicle: orNull(Type.String()),
        at: point,
        job: orNull(job),
      }),
    ),
    more_people: Type.Integer({ description: `People beyond the first ${MOST_PEOPLE}` }),
    places: Type.Array(
      closed({
        place_id: Type.String(),
        kind: Type.Enum(['restaurant', 'grocery', 'shop', 'hub'] as const),
        name: Type.String(),
        location: point,
      }),
    ),
    due: Type.Array(
      closed({
        due_at: instant,
        kind: Type.String(),
        event: Type.String(),
        resource_id: Type.String(),
        owner_id: Type.String(),
      }),
    ),
    happened: Type.Array(
      closed({
        seq: Type.Integer(),
        occurred_at: instant,
        type: Type.String(),
        resource_id: Type.String(),
        owner_id: Type.String(),
        from: orNull(Type.String()),
        to: Type.String(),
      }),
    ),
  }),
  cli: {
    command: 'open',
    danger: 'read',
  },
  async run(context) {
    await catchUp(context)
    return context.read(async (tx, stored, now) => {
      const { people, more } = await listPeople(tx, now, MOST_PEOPLE)
      const stores = await listStoreSpots(tx, MOST_PLACES)
      const hubs = await listAllHubs(tx)
      const due = await listDue(tx, LAST_INSTANT, {}, MOST_EVENTS)
      const happened = await listLastEvents(tx, MOST_EVENTS)
      return {
        clock: await viewClock(tx, stored, now),
        people: people.map((person) => ({ ...person, job: person.job && showJob(person.job) })),
        more_people: more,
        places: [
          ...stores.map(({ merchant_id, ...store }) => ({ place_id: merchant_id, ...store })),
          ...hubs.map(({ hub_id, name, location }) => ({
            place_id: hub_id,
            kind: 'hub' as const,
            name,
            location,
          })),
        ],
        due: due.map(({ due_at, kind, event, resource_id, owner_id }) => ({
          due_at: toTimestamp(due_at),
          kind,
          event,
          resource_id,
          owner_id,
        })),
        happened: happened.map(({ seq, occurred_at, type, resource_id, owner_id, from, to }) => ({
          seq,
          occurred_at,
          type,
          resource_id,
          owner_id,
          from,
          to,
        })),
      }
    })
  },
})

function showJob({ leg, next, ...rest }: Job) {
  return {
    ...rest,
    leg: leg && {
      path: [...leg.path],
      starts_at: toTimestamp(leg.starts_at),
      ends_at: toTimestamp(leg.ends_at),
    },
    next: { event: next.event, due_at: toTimestamp(next.due_at) },
  }
}
