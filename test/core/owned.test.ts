import * as Type from 'typebox'
import { expect, test } from 'vitest'
import type { OperationContext } from '../../src/core/context.ts'
import { ACCOUNT, ownedBy } from '../../src/core/owned.ts'
import { defineResource } from '../../src/core/resource.ts'
import { idParam, strictObject } from '../../src/core/schema.ts'

type Boat = { boat_id: string; account_id: string; name: string; created_at: number; seq: number }

const fleet = new Map<string, Boat>()
const locked: string[] = []

const BOAT = defineResource({
  area: 'rides',
  noun: 'boat',
  id: 'boat_id',
  prefix: 'boa',
  notFound: 'ride_not_found',
  creates: [],
  show: 'get_boat',
  list: 'list_boats',
})
const boat = strictObject({ boat_id: Type.String(), name: Type.String() })
const toBoat = ({ boat_id, name }: Boat): Type.Static<typeof boat> => ({ boat_id, name })

const OWN_BOAT = ownedBy(ACCOUNT, {
  resource: BOAT,
  path: '/v1/boats',
  scopes: { read: 'rides.read', act: 'rides.request' },
  id: idParam('Boat'),
  typed: {
    normalize: (text) => text.toLowerCase(),
    assert(text) {
      if (!/^boa/i.test(text)) throw new Error(`${text} is no boat`)
    },
    error: 'invalid_tracking_number',
  },
  output: boat,
  find: (_tx, id) => Promise.resolve(fleet.get(id)),
  lock(_tx, id) {
    locked.push(id)
    return Promise.resolve(fleet.get(id))
  },
  ownerOf: ({ account_id }) => account_id,
  hint: '`dray boats list` shows your boats.',
  serialize: (_context, row) => Promise.resolve(toBoat(row)),
})

const said = { summary: 'A boat', example: () => ({}), cli: { command: 'boats' } }
const showBoat = OWN_BOAT.show({ ...said, name: 'get_boat' })
const renameBoat = OWN_BOAT.action({
  ...said,
  name: 'rename_boat',
  below: '/name',
  spends: { how: 'nothing' },
  repetition: 'once',
  input: { name: Type.String() },
  errors: ['invalid_state'],
  act(_scene, row, wish) {
    Object.assign(row, wish)
    return Promise.resolve()
  },
})
const listBoats = OWN_BOAT.list({
  ...said,
  name: 'list_boats',
  filters: { letter: Type.String() },
  item: boat,
  read: (_context, { letter }, { after, limit }) =>
    Promise.resolve(
      [...fleet.values()]
        .filter(({ name, seq }) => name.startsWith(letter) && seq < (after?.seq ?? Infinity))
        .toReversed()
        .slice(0, limit),
    ),
  makeSerializer: () => Promise.resolve(toBoat),
})

/** Launches boats of Ana's, and one of Ben's; returns the context of a call of hers. */
function launch(...names: string[]): OperationContext {
  fleet.clear()
  locked.length = 0
  for (const [index, name] of names.entries()) {
    const seq = index + 1
    fleet.set(`boa_${seq}`, { boat_id: `boa_${seq}`, account_id: 'ana', name, created_at: 1000, seq })
  }
  fleet.set('boa_ben', { boat_id: 'boa_ben', account_id: 'ben', name: 'Bee', created_at: 1000, seq: 99 })
  // What these operations read of a call.
  return { tx: {}, now: 0, account: { account_id: 'ana' }, world: {} } as unknown as OperationContext
}

test('a resource is shown to its owner, by the id as people type it', async () => {
  const context = launch('Argo')
  expect(await showBoat.run(context, { boat_id: 'BOA_1' })).toEqual({ boat_id: 'boa_1', name: 'Argo' })
  expect(locked).toEqual([])
})

test('a resource of somebody else is refused as one that does not exist', async () => {
  const context = launch('Argo')
  const refused = { code: 'ride_not_found', hint: '`dray boats list` shows your boats.' }
  await expect(showBoat.run(context, { boat_id: 'boa_ben' })).rejects.toMatchObject(refused)
  await expect(showBoat.run(context, { boat_id: 'boa_7' })).rejects.toMatchObject(refused)
  await expect(renameBoat.run(context, { boat_id: 'boa_ben', name: 'Mine' })).rejects.toMatchObject(refused)
  expect(fleet.get('boa_ben')?.name).toBe('Bee')
})

test('a text that can be no id is refused before anything is looked up', async () => {
  await expect(renameBoat.run(launch(), { boat_id: 'ship', name: 'Mine' })).rejects.toThrow('ship is no boat')
  expect(locked).toEqual([])
})

test('an action changes the locked row by the rest of its input, and answers the changed resource', async () => {
  const context = launch('Argo')
  const renamed = await renameBoat.run(context, { boat_id: 'Boa_1', name: 'Beagle' })
  expect(renamed).toEqual({ boat_id: 'boa_1', name: 'Beagle' })
  expect(locked).toEqual(['boa_1'])
  expect(fleet.get('boa_1')).toMatchObject({ boat_id: 'boa_1', name: 'Beagle' })
})

test('a list gives a page of its own, and asks for one row more to know whether another follows', async () => {
  const cursor: OperationContext['cursor'] = {
    after: [1000, 4],
    limit: 1,
    page: (rows, keys, toData) => ({
      data: rows.slice(0, 1).map(toData),
      has_more: rows.length > 1,
      next_cursor: keys(rows[0] as (typeof rows)[number]).join(),
    }),
  }
  const context = { ...launch('Argo', 'Bounty', 'Ark', 'Ajax'), cursor }
  expect(await listBoats.run(context, { letter: 'A' })).toEqual({
    data: [{ boat_id: 'boa_3', name: 'Ark' }],
    has_more: true,
    next_cursor: '1000,3',
  })
})

test('what follows from the resource is the same for each of its operations', () => {
  expect(showBoat).toMatchObject({ method: 'GET', path: '/v1/boats/{boat_id}', scope: 'rides.read' })
  expect(listBoats).toMatchObject({ method: 'GET', path: '/v1/boats', scope: 'rides.read' })
  expect(renameBoat).toMatchObject({
    method: 'POST',
    path: '/v1/boats/{boat_id}/name',
    scope: 'rides.request',
    entitlement: 'none',
    idempotency: 'supported',
    errors: ['invalid_tracking_number', 'ride_not_found', 'invalid_state'],
  })
  expect(Object.keys(renameBoat.input.properties)).toEqual(['boat_id', 'name'])
  expect(renameBoat.touches({ boat_id: 'BOA_1', name: '' }, launch())).toEqual({ resource: 'boa_1' })
  expect(renameBoat.cli).toMatchObject({ danger: 'write', positionals: ['boat_id'] })
})
