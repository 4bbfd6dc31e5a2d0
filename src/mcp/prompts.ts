/** Prompts: the jobs that people most often give to an agent, as texts that name the tools and ask before they buy. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { GetPromptResult, Prompt as ListedPrompt } from '@modelcontextprotocol/server'
import type { Tool } from './tools.ts'

/** The kinds of values that `completions.ts` knows for arguments of prompts. */
type Choices = 'place' | 'service' | 'task' | 'order'

type Argument = { name: string; description: string; required: boolean; choices: Choices | undefined }

type Prompt = {
  name: string
  title: string
  description: string
  /** The tools that the text names. A caller without one of them does not see the prompt. */
  tools: readonly string[]
  arguments: readonly Argument[]
  /** Sentences. One that names an argument, as `{from}`, is omitted without it. */
  text: readonly string[]
}

const MAX_ARGUMENT_LENGTH = 500

const ADDRESS = 'an address in one line, a postcode, or a place such as kings-cross'
const required = (name: string, description: string, choices?: Choices): Argument => ({
  name,
  description,
  required: true,
  choices,
})
const optional = (name: string, description: string, choices?: Choices): Argument => ({
  ...required(name, description, choices),
  required: false,
})
const place = (name: string, description: string): Argument =>
  required(name, `${description}: ${ADDRESS}`, 'place')

const SHOW_FIRST = 'Show me the total and until when the price holds. Buy only after I agree.'

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'order_food',
    title: 'Order food to an address',
    description: 'Finds a store that delivers, prices a basket, and orders after you agree.',
    tools: ['search_restaurants', 'get_restaurant_menu', 'quote_food_order', 'place_food_order'],
    arguments: [
      place('address', 'Delivery address'),
      optional('wish', 'Dish or kitchen'),
      optional('budget', 'Maximum total, all fees included'),
    ],
    text: [
      'Order food for me, delivered to {address}.',
      'I would like {wish}.',
      'The maximum total is {budget}, with all fees.',
      'Search open stores near the address (search_restaurants), read the menu of a suitable store (get_restaurant_menu), and price the basket (quote_food_order).',
      'Tell me the store, each line and the arrival.',
      SHOW_FIRST,
      'Order with place_food_order.',
    ],
  },
  {
    name: 'request_ride',
    title: 'Request a ride',
    description: 'Prices a ride in every tier, and requests the one that you choose.',
    tools: ['quote_ride', 'request_ride'],
    arguments: [
      place('from', 'Pickup location'),
      place('to', 'Where it ends'),
      optional('when', 'Time, for a ride that is booked ahead'),
    ],
    text: [
      'I need a ride from {from} to {to}.',
      'It begins {when}.',
      'Price it (quote_ride) and tell me each tier with its fare and pickup ETA.',
      'Request the tier that I choose (request_ride), and nothing before I choose.',
    ],
  },
  {
    name: 'send_parcel',
    title: 'Send a parcel and get its label',
    description: 'Compares service levels, creates the parcel after you agree, and reads the label.',
    tools: ['quote_rates', 'create_shipment', 'get_shipment'],
    arguments: [
      required('recipient', 'Name and address of who gets it'),
      required('parcel', 'Weight, length, width and height'),
      optional('service_level', 'Service level'),
    ],
    text: [
      'Send a parcel to {recipient}. It measures {parcel}.',
      'Send it {service_level}.',
      'Compare the prices first (quote_rates).',
      SHOW_FIRST,
      'Create it with create_shipment, and give me the tracking number and the label, which is the resource dray://shipments/{tracking_number}/label.pdf.',
    ],
  },
  {
    name: 'book_service',
    title: 'Book a home service',
    description: 'Finds a provider who is free, prices the visit, and books after you agree.',
    tools: ['search_service_providers', 'get_provider_availability', 'quote_service', 'book_service'],
    arguments: [
      required('service', 'Service category', 'service'),
      place('address', 'Service address'),
      optional('when', 'Day and time of day'),
    ],
    text: [
      'Book {service} for me at {address}.',
      'The time is {when}, by the service clock.',
      'Find providers (search_service_providers), list their free starts (get_provider_availability), and price the service (quote_service).',
      SHOW_FIRST,
      'Book with book_service.',
    ],
  },
  {
    name: 'have_something_done',
    title: 'Have something done, with evidence',
    description: 'Sends a tasker to a place to do or check something, and shows the photos.',
    tools: ['list_task_types', 'quote_task', 'create_task', 'get_task_evidence'],
    arguments: [required('task', 'Task type or description', 'task'), place('place', 'Address')],
    text: [
      'Create this task for me at {place}: {task}.',
      'Find the task type and its requirements (list_task_types), and price it (quote_task).',
      SHOW_FIRST,
      'Create it with create_task. Once it is done, show me its evidence (get_task_evidence).',
    ],
  },
  {
    name: 'store_morning',
    title: 'Start the day in a store',
    description: 'Shows waiting orders and unavailable items, and proposes next steps.',
    tools: ['list_business_orders', 'accept_business_order', 'list_catalog_items'],
    arguments: [],
    text: [
      'Start the day in my store.',
      'List the active orders (list_business_orders with active true) and the unavailable items (list_catalog_items with available false).',
      'Tell me which orders wait to be accepted, most urgent first, and which items could be made available again.',
      'Propose what to accept with which preparation time. Accept, reject and change nothing before I agree.',
    ],
  },
  {
    name: 'where_is_my_order',
    title: 'Where is my order?',
    description: 'Looks up an order and shows its status and ETA.',
    tools: ['list_food_orders', 'get_food_order'],
    arguments: [optional('order', 'Order ID. Default: the newest order', 'order')],
    text: [
      'I want to know where my order is.',
      'It is the order {order}.',
      'Look it up with get_food_order; without an ID, use the newest of list_food_orders with limit 1.',
      'Tell me its state, who brings it, and when it arrives, in local time. Cancel and change nothing.',
    ],
  },
]

/** Returns the prompts of a caller with these tools. */
export function listPrompts(tools: Pick<ReadonlyMap<string, Tool>, 'has'>): ListedPrompt[] {
  return PROMPTS.filter((prompt) => isOf(prompt, tools)).map(
    ({ name, title, description, arguments: all }) => ({
      name,
      title,
      description,
      arguments: all.map((argument) => ({
        name: argument.name,
        description: argument.description,
        required: argument.required,
      })),
    }),
  )
}

/** Returns a prompt of a caller with these tools. Throws an error of the protocol. */
export function findPrompt(name: string, tools: Pick<ReadonlyMap<string, Tool>, 'has'>): Prompt {
  const prompt = PROMPTS.find((each) => each.name === name)
  if (prompt !== undefined && isOf(prompt, tools)) return prompt
  throw wrong(`Unknown prompt: ${name.slice(0, 60)}. prompts/list lists them all.`)
}

function isOf(prompt: Prompt, tools: Pick<ReadonlyMap<string, Tool>, 'has'>): boolean {
  return prompt.tools.every((tool) => tools.has(tool))
}

/** Returns the message of a prompt. Throws an error of the protocol that names a missing, unknown or too long argument. */
export function fillPrompt(
  { description, arguments: known, text }: Prompt,
  given: Readonly<Record<string, string>>,
): GetPromptResult {
  const named = new Map(known.map((argument) => [argument.name, argument]))
  for (const [name, value] of Object.entries(given)) {
    if (!named.has(name)) throw wrong(`The prompt has no argument ${JSON.stringify(name.slice(0, 60))}.`)
    if (value.length > MAX_ARGUMENT_LENGTH)
      throw wrong(`The argument ${name} has ${MAX_ARGUMENT_LENGTH} characters at most.`)
  }
  const values = new Map(Object.entries(given).filter(([, value]) => value.trim() !== ''))
  const missing = known.find(({ name, required }) => required && !values.has(name))
  if (missing !== undefined) throw wrong(`The prompt needs the argument ${missing.name}.`)
  const isAbsent = (sentence: string): boolean =>
    known.some(({ name }) => !values.has(name) && sentence.includes(`{${name}}`))
  const filled = text
    .filter((sentence) => !isAbsent(sentence))
    .map((sentence) =>
      // A value is in quotes, so that its end is known.
      sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
        values.has(name) ? JSON.stringify(values.get(name)?.trim()) : whole,
      ),
    )
  return { description, messages: [{ role: 'user', content: { type: 'text', text: filled.join(' ') } }] }
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
