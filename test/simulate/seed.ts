/** Runs one seed, and checks what it leaves behind. */
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, SqlRow } from '../../src/core/db.ts'
import { checkInvariants } from '../support/invariants.ts'
import { type SimulatedClient, makeClientCalls, operate, type SimulationContext } from './clients.ts'
import { type Bundle, openGatewaySlot } from './gateways.ts'
import { type SimulatedMachine, makeSimulatedMachine } from './machine.ts'
import type { Town } from './town.ts'
import { makeWitness, type Witness } from './witness.ts'

/** The parts that all seeds of a run share. */
export type Setting = {
  /** One for each gateway, and one that looks at the store afterwards. */
  bundles: readonly Bundle[]
  observer: Bundle
  town: Town
  folder: string
}

export type SeedOutcome = {
  /** The broken promises, in words. */
  faults: string[]
  counts: ReadonlyMap<string, number>
  /** The story of the seed, answer by answer. */
  lines: readonly string[]
}

/** The operations that make something: the pattern of its id, and the table in which it stands. */
const MADE = [
  { operations: ['create_shipment', 'create_shipments_batch'], table: 'shipments', id: 'tracking_number' },
  { operations: ['place_food_order'], table: 'orders', id: 'order_id' },
  { operations: ['request_ride'], table: 'rides', id: 'ride_id' },
  { operations: ['create_catalog_item'], table: 'catalog_items', id: 'item_id' },
] as const

/** The number of calls of each client. */
const CALLS = 5

/** Runs a seed, and again if it shall be `twice`: it must be the same in every byte. */
export async function runSeed(
  seed: number,
  setting: Setting,
  { twice }: { twice: boolean },
): Promise<SeedOutcome> {
  const { machine, witness, image } = await play(seed, setting)
  const faults = [...witness.faults, ...(await inspect(setting, witness))]
  const { counts, lines } = machine
  if (twice) {
    const other = await play(seed, setting)
    const differing = other.machine.lines.findIndex((line, at) => line !== lines[at])
    if (other.machine.lines.join('\n') !== lines.join('\n'))
      faults.push(`it is not repeated: ${lines[differing]}, then ${other.machine.lines[differing]}`)
    else if (other.image !== image) faults.push('it leaves another store when it is repeated')
  }
  return { faults, counts, lines }
}

/** `image` is the SHA-256 of the store's file afterwards. */
type SeedRun = { machine: SimulatedMachine; witness: Witness; image: string }

async function play(seed: number, { bundles, town, folder }: Setting): Promise<SeedRun> {
  const store = join(folder, 'store.db')
  for (const end of ['', '-wal', '-shm', '.requests']) rmSync(store + end, { force: true })
  copyFileSync(town.store, store)

  const machine = makeSimulatedMachine(seed)
  const witness = makeWitness(machine.count)
  const onFault = witness.fault
  try {
    const places = bundles
      .slice(0, machine.random.number(4) === 0 ? 3 : 2)
      .map((bundle, at) => openGatewaySlot({ name: `gateway ${at + 1}`, machine, bundle, store, onFault }))
    machine.faulty = true
    await finish(machine, callAll({ machine, places, witness, town, home: machine.start('clients') }))
    machine.faulty = false
    await finish(
      machine,
      places.map((place) => place.close()),
    )
  } catch (error) {
    onFault(error instanceof Error ? String(error.stack) : String(error))
  }
  return { machine, witness, image: createHash('sha256').update(readFileSync(store)).digest('hex') }
}

/** Lets all clients of the town make their calls. */
function callAll(street: SimulationContext): Promise<void>[] {
  const { people } = street.town
  const clients = people.map((person, at) => newClient(street, `c${at + 1}`, person))
  const work = clients.map((client) => makeClientCalls(client, CALLS))
  return [...work, operate(street, CALLS)]
}

/** Runs the machine until all of this is done. */
async function finish(machine: SimulatedMachine, work: readonly Promise<void>[]): Promise<void> {
  let failure: unknown
  let isOver = false
  void Promise.all(work)
    .catch((error: unknown) => (failure = error))
    .finally(() => (isOver = true))
  await machine.run(() => isOver)
  if (failure !== undefined) throw failure
}

function newClient(
  street: SimulationContext,
  name: string,
  person: SimulatedClient['person'],
): SimulatedClient {
  return { ...street, name, person, done: [], own: new Map(), cancelled: new Set(), serial: 0 }
}

/** Returns what is wrong with the store after a seed. */
async function inspect({ observer, town, folder }: Setting, witness: Witness): Promise<string[]> {
  const none = (count: number) => new Uint8Array(count)
  const parts = { now: () => 0, random: none, weakRandomBytes: none, env: {}, firstRun() {}, debug() {} }
  const { db } = await observer.openService({ store: join(folder, 'store.db') }, parts)
  try {
    return [
      ...(await checkInvariants(db)),
      ...(await checkAnswers(db, witness)),
      ...(await checkEffects(db, town)),
    ]
  } finally {
    await db.close()
  }
}

/** Every acknowledged answer is in the store, byte for byte. */
async function checkAnswers(db: Db, { acknowledged }: Witness): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.all(
      `select account_id || ' ' || operation || ' ' || idempotency_key as name, status, body from idempotency`,
    ),
  )
  const stored = new Map(rows.map((row) => [String(row['name']), row]))
  return [...acknowledged].flatMap(([name, { status, body }]) => {
    const row = stored.get(name)
    if (row === undefined) return [`${name} was answered ${status}, and is not in the store`]
    return row['status'] === status && row['body'] === body
      ? []
      : [`${name} was answered ${body}, and the store says ${String(row['body'])}`]
  })
}

/** A key has one effect: what was made is what the stored responses name, each once. */
async function checkEffects(db: Db, { begunWith }: Town): Promise<string[]> {
  return db.read(async (tx) => {
    const faults: string[] = []
    for (const { operations, table, id } of MADE) {
      const made = (await tx.all(`select ${id} as id from ${table}`))
        .map(idOf)
        .filter((one) => !begunWith.has(one))
      const answers = await tx.all(
        `select body from idempotency where status < 300 and operation in ('${operations.join("', '")}')`,
      )
      const pattern = new RegExp(`"${id}":"([^"]+)"`, 'g')
      const named = answers.flatMap(({ body }) => [
        ...new Set([...String(body).matchAll(pattern)].map(([, one = '']) => one)),
      ])
      for (const one of made)
        if (named.filter((each) => each === one).length !== 1)
          faults.push(
            `${table} ${one} was made, and ${named.includes(one) ? 'two answers name' : 'no answer names'} it`,
          )
      for (const one of named)
        if (!made.includes(one)) faults.push(`${table} ${one} was answered, and is gone`)
    }
    return faults
  })
}

function idOf(row: SqlRow): string {
  return String(row['id'])
}
