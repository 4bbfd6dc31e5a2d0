/** Makes the examples of the control calls for the reference: all in their order, on a sandbox with some orders and parcels. */
import type { AnyOperation, AnySandboxOperation, ExampleResults, ExampleCall } from '../core/operation.ts'
import { startDeviceLogin } from '../oauth/device.ts'
import type { LoggedControlCall } from '../sandbox/control/control.ts'
import { invokeControl } from '../sandbox/control/invoke.ts'
import { type ControlExample, EXAMPLES_ACCOUNT, EXAMPLES_TIME } from '../server/docs/example.ts'
import { curlLine } from './example-lines.ts'
import { answersFor, inNewWorld, type ExampleStep } from './examples.ts'

/** Most rows that an example shows of a list. */
const MAX_SHOWN_ROWS = 3

/** The calls that leave what the examples are about. One without an input takes the example of its operation. */
export const BEFORE_CONTROLS: readonly ExampleCall[] = [
  { operation: 'search_restaurants', name: 'search_restaurants' },
  { operation: 'get_restaurant_menu', name: 'get_restaurant_menu' },
  ...leaveOrder('order_to_pay_out', {}),
  actOn('accept_business_order', 'order_to_pay_out'),
  actOn('start_business_order_prep', 'order_to_pay_out'),
  actOn('mark_business_order_ready', 'order_to_pay_out'),
  actOn('complete_business_order', 'order_to_pay_out'),
  ...leaveOrder('order_to_settle', {}, 'tok_pending'),
  ...leaveOrder('order_at_table', { fulfillment_type: 'dine_in', table: { table_number: '4' } }),
  actOn('accept_business_order', 'order_at_table'),
  { operation: 'create_shipment', name: 'create_shipment' },
  {
    operation: 'create_shipment',
    name: 'second_shipment',
    input: ({ create_shipment: { recipient, parcel } }) => ({
      recipient: { contact: { name: 'Ola Nowak' }, address: recipient.address },
      parcel,
      service_level: 'next_day',
    }),
  },
  { operation: 'create_collection_manifest', name: 'create_collection_manifest' },
]

function leaveOrder(name: string, quote: object, token = 'tok_ok'): ExampleCall[] {
  const input = ({ get_restaurant_menu: menu }: ExampleResults) => ({
    merchant_id: menu.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: menu.categories[0].items[0].item_id, quantity: 2 }],
    ...quote,
  })
  const order = (done: ExampleResults) => ({
    quote_id: done[`quote_${name}`].quote_id,
    payment: { method: 'card', payment_token: token },
  })
  return [
    { operation: 'quote_food_order', name: `quote_${name}`, input },
    { operation: 'place_food_order', name, input: order },
  ]
}

function actOn(operation: string, order: string): ExampleCall {
  return {
    operation,
    name: `${operation}_${order}`,
    input: (done) => ({ order_id: done[order].order_id }),
  }
}

/** Returns the calls of `BEFORE_CONTROLS` as steps. */
export function stepsBefore(operations: readonly AnyOperation[]): ExampleStep[] {
  return BEFORE_CONTROLS.map(({ operation: called, name, input }) => {
    const operation = operations.find((each) => each.name === called)
    if (operation === undefined) throw new Error(`no operation ${called}`)
    return { operation, name, advances: [], input: input ?? operation.example }
  })
}

/** Returns the source of a module with an example of each control call. */
export async function controlExamplesSource(
  operations: readonly AnyOperation[],
  controls: readonly AnySandboxOperation[],
): Promise<string> {
  const examples = await inNewWorld(async (db, call) => {
    const done: Record<string, unknown> = {}
    const calls: LoggedControlCall[] = []
    for (const step of stepsBefore(operations)) {
      const { status, answer } = await call(step, done)
      done[step.name] = answer
      calls.push(logged(calls.length, step, status))
    }
    const random = (count: number) => new Uint8Array(count)
    const asked = { clientId: 'dray-cli', scope: 'shipments.read', device: 'lighthouse (Linux)' }
    const device = await db.write((tx) => startDeviceLogin(tx, asked, Date.parse(EXAMPLES_TIME), random))
    done['device'] = { user_code: 'userCode' in device && device.userCode }
    const made: ControlExample[] = []
    for (const control of controls) {
      const { name } = control
      const input = control.example(answersFor(name, done))
      const deps = { now: () => 0, random, env: {}, requests: () => calls }
      const answer = await invokeControl(db, name, input, deps).catch((cause: unknown) => {
        throw new Error(`the example of ${name} is refused`, { cause })
      })
      done[name] = answer
      made.push({
        operation: name,
        name,
        input,
        curl: curlLine(control, input),
        status: 200,
        answer: cut(answer),
      })
    }
    return made
  })
  return `import type { ControlExample } from '../server/docs/example.ts'

/** A new sandbox returns these responses again, in this order, each with more rows. */
export const CONTROL_EXAMPLES: readonly ControlExample[] = ${JSON.stringify(examples, null, 1)}
`
}

/** Returns the line of a log for a step of the story. */
function logged(at: number, { operation }: ExampleStep, status: number): LoggedControlCall {
  return {
    time: EXAMPLES_TIME,
    service_time: EXAMPLES_TIME,
    request_id: `req_${String(at).padStart(26, '0')}`,
    transport: 'http',
    operation: operation.name,
    account: EXAMPLES_ACCOUNT,
    status,
    code: null,
    state: null,
    duration_ms: 4,
    replayed: false,
  }
}

/** Returns a copy of a response in which lists of objects have a few rows. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rows: unknown[] = value.map(cut)
    return rows.every((row) => typeof row === 'object') ? rows.slice(0, MAX_SHOWN_ROWS) : rows
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
}
