/** The clients of a seed: each makes calls with keys, one after another, and tries again until it is answered. */
import type { GatewayResponse } from '../../src/gateway/request.ts'
import { CARD } from '../support/food.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import type { GatewaySlot, SimulatedCall } from './gateways.ts'
import type { SimulatedMachine, Process } from './machine.ts'
import type { SimulatedItem, SimulatedPerson, Town } from './town.ts'
import { MAKES, type Register, type Witness } from './witness.ts'

type Body = Record<string, unknown>

/** A response that counts, and when its call was sent and heard: first, if a key makes all tries one call, or else last. */
export type AcknowledgedCall = { status: number; text: string; body: Body; sent: number; heard: number }

export type SimulationContext = {
  machine: SimulatedMachine
  home: Process
  places: readonly GatewaySlot[]
  witness: Witness
  town: Town
}

export type SimulatedClient = SimulationContext & {
  name: string
  person: SimulatedPerson
  /** Its calls with a key that were answered, which it may repeat. */
  done: { operation: string; input: Body; key: string }[]
  /** The ids of its own resources, by the field that names them. */
  own: Map<string, string[]>
  /** The ids of those that it has cancelled, which is final. */
  cancelled: Set<string>
  serial: number
}

/** More tries than any faults can need. */
const MAX_CALL_TRIES = 300

/** Makes a number of calls as a client does. */
export async function makeClientCalls(client: SimulatedClient, count: number): Promise<void> {
  const { machine, person } = client
  for (let each = 0; each < count; each++) {
    await pause(client, machine.random.number(machine.rates.thinkMs))
    await machine.random.pick(ACTIONS[person.does])(client)
  }
}

/** Changes what everybody's calls depend on: memberships and the clock. */
export async function operate(street: SimulationContext, count: number): Promise<void> {
  const { machine, witness, town } = street
  for (let each = 0; each < count; each++) {
    await pause(street, machine.random.number(4 * machine.rates.thinkMs))
    const by = machine.random.pick(['10s', '3m', '20m', undefined, undefined, undefined])
    if (by !== undefined) {
      await makeControlCall(street, { control: 'advance_clock', input: { by } })
      continue
    }
    const { accountId, handle } = machine.random.pick(town.people.filter(({ does }) => does === 'buys'))
    const register = witness.register(`membership of ${handle}`)
    const status = machine.random.pick(['active', 'expired'])
    const change = register.begin(status, machine.order())
    const input = { account: accountId, status }
    const { status: said } = await makeControlCall(street, { control: 'set_membership', input })
    register.end(change, machine.order(), said < 300)
  }
}

/**
 * Repeats a call until it is answered, anywhere, and often at two places at once. Notes the response, and returns it.
 */
async function call(
  client: SimulatedClient,
  operation: string,
  input: Body,
  key?: string,
): Promise<AcknowledgedCall> {
  const { machine, places, person, witness } = client
  const { random } = machine
  const request: SimulatedCall = {
    operation,
    input,
    credential: random.number(2) === 0 ? { token: person.token } : { account: person.handle },
    ...(key !== undefined && { idempotencyKey: key }),
  }
  let sent = machine.order()
  for (let tries = 0; tries < MAX_CALL_TRIES; tries++) {
    if (key === undefined) sent = machine.order()
    const isTwice = key !== undefined && machine.strikes(machine.rates.lost, 'same key at two places at once')
    const asked = isTwice ? places : [random.pick(places)]
    const answers = await Promise.all(asked.map((place) => place.send(request)))
    const final = answers.filter((answer) => answer !== undefined).filter((answer) => isFinal(client, answer))
    for (const answer of final) witness.hear({ person, operation, input, key, answer })
    const [answer] = final
    if (answer !== undefined) {
      const body = JSON.parse(answer.body) as Body
      machine.note(`${client.name} ${operation} ${key ?? ''} ${answer.status} ${answer.body}`)
      machine.count(answer.status < 300 ? operation : `refusal ${String(body['code'])}`)
      return { status: answer.status, text: answer.body, body, sent, heard: machine.order() }
    }
    machine.count(
      answers.some((each) => each !== undefined) ? 'retry after a failure' : 'retry without an answer',
    )
    await pause(client, random.number(40) + 10 * tries)
  }
  witness.fault(`${client.name} is not answered: ${operation} ${key ?? ''}`)
  throw new Error('nobody answers')
}

/** Returns whether a client stops here: a failure of the service is tried again. */
function isFinal({ machine }: SimulatedClient, { status, headers, body }: GatewayResponse): boolean {
  if (headers['Idempotent-Replayed'] === 'true') machine.count('replay')
  if (status < 500 && !body.includes('idempotency_in_flight')) return true
  machine.count(`failure ${String((JSON.parse(body) as Body)['code'])}`)
  return false
}

/** Makes a control call until it is answered. Only one is under way, because no key tells two of them apart. */
async function makeControlCall(
  street: SimulationContext,
  sent: SimulatedCall & { control: string },
): Promise<GatewayResponse> {
  const { machine, places, witness } = street
  for (let tries = 0; tries < MAX_CALL_TRIES; tries++) {
    const answer = await machine.random.pick(places).send(sent)
    if (answer !== undefined && answer.status < 500) {
      machine.note(`${sent.control} ${JSON.stringify(sent.input)} ${answer.status} ${answer.body}`)
      machine.count(`control ${sent.control}`)
      return answer
    }
    await pause(street, machine.random.number(40) + 10 * tries)
  }
  witness.fault(`${sent.control} is not answered`)
  throw new Error('nobody answers')
}

/** Makes a call with a new key, and keeps it and the id that it made. */
async function change(client: SimulatedClient, operation: string, input: Body): Promise<AcknowledgedCall> {
  const made = MAKES[operation]
  const key = `${client.name}-${++client.serial}`
  const heard = await call(client, operation, input, key)
  client.done.push({ operation, input, key })
  if (made !== undefined && heard.status < 300) {
    const ids = client.own.get(made) ?? []
    client.own.set(made, [...ids, String(heard.body[made])])
  }
  return heard
}

type Action = (client: SimulatedClient) => Promise<unknown>

/** Repeats an answered call; its response must be the same in bytes. */
const repeat: Action = async (client) => {
  const earlier = client.machine.random.pick(client.done)
  if (earlier !== undefined) await call(client, earlier.operation, earlier.input, earlier.key)
}

/** Uses the key of an answered call for another one. */
const reuse: Action = async (client) => {
  const { machine, witness } = client
  const earlier = machine.random.pick(client.done.filter(({ operation }) => operation === 'create_shipment'))
  if (earlier === undefined) return
  const { body } = await call(
    client,
    earlier.operation,
    { ...earlier.input, service_level: 'same_day' },
    earlier.key,
  )
  if (body['code'] !== 'idempotency_key_reused')
    witness.fault(`${client.name} used the key ${earlier.key} for another call: ${JSON.stringify(body)}`)
}

/** Asks for what another account owns. */
const probe =
  (member: string, operation: string): Action =>
  async (client) => {
    const { machine, witness, person } = client
    const id = machine.random.pick(witness.ownedByOthers(person, member))
    if (id === undefined) return
    const { status } = await call(client, operation, { [member]: id })
    machine.count(`look at another's ${member}`)
    if (status < 300) witness.fault(`${person.handle} is shown ${id}, which another owns`)
  }

/** Does something to a resource of its own. */
const onOwn =
  (member: string, operation: string): Action =>
  async (client) => {
    const id = client.machine.random.pick(client.own.get(member) ?? [])
    if (id === undefined) return
    const isRead = operation.startsWith('get_')
    const { body } = await (isRead ? call : change)(client, operation, { [member]: id })
    const { status } = body
    if (client.cancelled.has(id) && isRead && status !== 'cancelled')
      client.witness.fault(`${id} is ${String(status)}, and was cancelled`)
    if (status === 'cancelled') client.cancelled.add(id)
  }

/** Lists its own resources: what it made is on the list. */
const list =
  (member: string, operation: string): Action =>
  async (client) => {
    const { text } = await call(client, operation, { limit: 100 })
    for (const id of client.own.get(member) ?? [])
      if (!text.includes(id)) client.witness.fault(`${operation} does not show ${id}`)
  }

const ship: Action = async (client) => {
  const reference = client.machine.random.number(8) === 0 ? 'taken' : `${client.name}-${client.serial}`
  await change(client, 'create_shipment', makeParcel({ reference }))
}

const shipMany: Action = (client) =>
  change(client, 'create_shipments_batch', { shipments: makeRows(4, `${client.name}-${client.serial}-`) })

const order: Action = async (client) => {
  const { machine, town } = client
  const item = machine.random.pick(town.items)
  const basket = {
    merchant_id: item.merchantId,
    fulfillment_type: 'pickup',
    items: [{ item_id: item.itemId, quantity: 1 + machine.random.number(3) }],
  }
  const { status, body, sent, heard } = await call(client, 'quote_food_order', basket)
  if (status >= 300) return
  const [line] = body['lines'] as { unit_price: { amount: number } }[]
  priceOf(client.witness, item).read(String(line?.unit_price.amount), sent, heard)
  const token = machine.random.number(6) === 0 ? 'tok_declined' : 'tok_ok'
  const confirm = { quote_id: body['quote_id'], payment: { method: 'card', payment_token: token } }
  const placed = await change(client, 'place_food_order', confirm)
  checkMembership(client, placed)
  // A quote is bought once, whatever the key.
  if (placed.status < 300 && machine.random.number(4) === 0) await change(client, 'place_food_order', confirm)
}

const ride: Action = async (client) => {
  const { status, body } = await call(client, 'quote_ride', { pickup: BANK_STATION, dropoff: KINGS_CROSS })
  if (status >= 300) return
  const confirm = { quote_id: body['quote_id'], tier: 'economy', payment: CARD }
  checkMembership(client, await change(client, 'request_ride', confirm))
}

/** A purchase is rejected for want of a membership only when there was none at some moment of the call. */
function checkMembership(
  { witness, person }: SimulatedClient,
  { status, body, sent, heard }: AcknowledgedCall,
): void {
  const register = witness.register(`membership of ${person.handle}`)
  // Without one it may have ended, or never begun.
  if (status < 300) register.read('active', sent, heard, { guessed: true })
  else if (body['code'] === 'membership_required') register.read('expired', sent, heard, { guessed: true })
}

const readMembership: Action = async (client) => {
  const { body, sent, heard } = await call(client, 'get_membership_status', {})
  client.witness.register(`membership of ${client.person.handle}`).read(String(body['status']), sent, heard)
}

const readMenu: Action = async (client) => {
  const { machine, town, witness } = client
  const item = machine.random.pick(town.items)
  const { text, sent, heard } = await call(client, 'get_restaurant_menu', { merchant_id: item.merchantId })
  const found = new RegExp(`"item_id":"${item.itemId}".*?"price":\\{"amount":(\\d+)`).exec(text)
  if (found?.[1] === undefined) return witness.fault(`the menu has no ${item.itemId}: ${text.slice(0, 200)}`)
  priceOf(witness, item).read(found[1], sent, heard)
}

const price: Action = async (client) => {
  const { machine, town, person, witness } = client
  const item = machine.random.pick(town.items.filter(({ owner }) => owner === person.handle))
  if (item === undefined) return
  const register = priceOf(witness, item)
  // One client at a time: the values of a register have one order.
  if (register.isBusy()) return
  const amount = 700 + register.size()
  const begun = register.begin(String(amount), machine.order())
  const input = { item_id: item.itemId, price: { amount, currency: 'GBP' } }
  const { status, heard } = await change(client, 'update_catalog_item', input)
  register.end(begun, heard, status < 300)
}

function priceOf(witness: Witness, { itemId }: SimulatedItem): Register {
  return witness.register(`price of ${itemId}`)
}

const available: Action = async (client) => {
  const { machine, town, person } = client
  const item = machine.random.pick(town.items.filter(({ owner }) => owner === person.handle))
  if (item === undefined) return
  await change(client, 'set_catalog_item_availability', {
    item_id: item.itemId,
    available: machine.random.number(4) > 0,
  })
}

const dish: Action = (client) => {
  const name = client.machine.random.number(6) === 0 ? 'Taken' : `Dish ${client.name} ${client.serial}`
  const input = { name, category: 'Simulated', price: { amount: 500, currency: 'GBP' } }
  return change(client, 'create_catalog_item', input)
}

const accept: Action = async (client) => {
  const { machine } = client
  const { body } = await call(client, 'list_business_orders', { active: true, limit: 20 })
  const waiting = machine.random.pick((body['data'] as { order_id: string }[] | undefined) ?? [])
  if (waiting === undefined) return
  const step = machine.random.pick([
    'accept_business_order',
    'accept_business_order',
    'reject_business_order',
  ])
  const reason = step === 'reject_business_order' ? { reason_code: 'too_busy' } : {}
  await change(client, step, { order_id: waiting.order_id, ...reason })
}

const ACTIONS: Readonly<Record<SimulatedPerson['does'], readonly Action[]>> = {
  ships: [
    ship,
    ship,
    shipMany,
    onOwn('tracking_number', 'cancel_shipment'),
    onOwn('tracking_number', 'get_shipment'),
    list('tracking_number', 'list_shipments'),
    probe('tracking_number', 'get_shipment'),
    repeat,
    reuse,
  ],
  buys: [
    order,
    order,
    ride,
    readMenu,
    readMenu,
    readMembership,
    onOwn('order_id', 'get_food_order'),
    onOwn('order_id', 'cancel_food_order'),
    onOwn('ride_id', 'cancel_ride'),
    list('order_id', 'list_food_orders'),
    probe('order_id', 'get_food_order'),
    probe('ride_id', 'get_ride'),
    repeat,
  ],
  sells: [price, price, price, available, dish, accept, accept, repeat],
}

function pause({ home }: SimulationContext, ms: number): Promise<void> {
  return new Promise((resolve) => void home.loop.later(resolve, ms))
}
