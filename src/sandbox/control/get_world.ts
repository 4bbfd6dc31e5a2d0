import * as Type from 'typebox'
import { listAllHubs } from '../../areas/carrier/queries/hubs.ts'
import { listStoreSpots } from '../../areas/merchants/queries.ts'
import { MAX_TIMESTAMP } from '../../core/clock.ts'
import {
  strictObject,
  objectField,
  instant,
  describeField,
  component,
  nameField,
  nullable,
  point,
} from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { listLastEvents } from '../../db/events.ts'
import { listDueEvents } from '../../db/timeline.ts'
import { CREWS, type CurrentJob, listPeople } from '../people.ts'
import { runDueUntil, serializeClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'

const MAX_PEOPLE = 400
const MAX_PLACES = 200
const MAX_LISTED_EVENTS = 30

const kind = Type.String({ meaning: 'Kind of the resource' })
const resourceId = Type.String({ meaning: 'Resource' })
const ownerId = Type.String({ meaning: 'Owner of the resource' })

const leg = component('SandboxLeg', {
  path: Type.Array(point, { meaning: 'Points of the way' }),
  starts_at: describeField('Start', instant),
  ends_at: describeField('Arrival', instant),
})

const job = component('SandboxJob', {
  resource_id: resourceId,
  kind,
  order_id: nullable('Order that is brought; null for other work', Type.String()),
  account_id: Type.String({ meaning: 'Account for which the work is done' }),
  status: Type.String({ meaning: 'Status of the resource' }),
  from: Type.String({ meaning: 'Name of the start, the service or the task' }),
  to: Type.String({ meaning: 'Name of the destination' }),
  leg: nullable('Way that the person is on, or was last on; null without one', leg),
  next: objectField('Next event of the work', {
    event: Type.String({ meaning: 'Event' }),
    due_at: describeField('Time of the event', instant),
  }),
})

export const getWorld = defineControl({
  name: 'get_world',
  method: 'GET',
  path: '/sandbox/world',
  summary: 'Show the people of the sandbox with their positions and work, and the next and latest events',
  input: strictObject({}),
  output: strictObject({
    clock: describeField('Clock', clock),
    people: Type.Array(
      component('SandboxPerson', {
        person_id: Type.String({ meaning: 'Person' }),
        crew: Type.Enum(CREWS, { meaning: 'Kind of work' }),
        name: nameField,
        vehicle: nullable('Vehicle; null without one', Type.String()),
        at: describeField('Position while waiting, or before the work', point),
        job: nullable('Work; null for a person who is free', job),
      }),
      { meaning: `The first ${MAX_PEOPLE} people` },
    ),
    more_people: Type.Integer({ description: `People beyond the first ${MAX_PEOPLE}` }),
    places: Type.Array(
      component('SandboxPlace', {
        place_id: Type.String({ meaning: 'Store or hub' }),
        kind: Type.Enum(['restaurant', 'grocery', 'shop', 'hub'] as const, { meaning: 'Kind of the place' }),
        name: nameField,
        location: describeField('Location', point),
      }),
      { meaning: `Stores and hubs, at most ${MAX_PLACES}` },
    ),
    due: Type.Array(
      component('PlannedEvent', {
        due_at: describeField('Time', instant),
        kind,
        event: Type.String({ meaning: 'Event' }),
        resource_id: resourceId,
        owner_id: ownerId,
      }),
      { meaning: `The next planned events, at most ${MAX_LISTED_EVENTS}` },
    ),
    happened: Type.Array(
      component('LatestEvent', {
        seq: Type.Integer({ meaning: 'Position among all events' }),
        occurred_at: describeField('Time', instant),
        type: Type.String({ meaning: 'Type of the change' }),
        resource_id: resourceId,
        owner_id: ownerId,
        from: nullable('Status before; null for a new resource', Type.String()),
        to: Type.String({ meaning: 'Status after' }),
      }),
      { meaning: `The latest status changes, at most ${MAX_LISTED_EVENTS}` },
    ),
  }),
  cli: {
    command: 'open',
    danger: 'read',
  },
  async run(context) {
    await runDueUntil(context)
    return context.read(async (tx, stored, now) => {
      const { people, more } = await listPeople(tx, now, MAX_PEOPLE)
      const stores = await listStoreSpots(tx, MAX_PLACES)
      const hubs = await listAllHubs(tx)
      const due = await listDueEvents(tx, MAX_TIMESTAMP, {}, MAX_LISTED_EVENTS)
      const happened = await listLastEvents(tx, MAX_LISTED_EVENTS)
      return {
        clock: await serializeClock(tx, stored, now),
        people: people.map((person) => ({ ...person, job: person.job && serializeJob(person.job) })),
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

function serializeJob({ leg, next, ...rest }: CurrentJob) {
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
