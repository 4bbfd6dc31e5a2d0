import { assertExclusiveFlag } from '../../cli/assert-alone.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { orNewBeginning } from '../../core/event-position.ts'
import { listEventTypes, type EventType } from '../../core/event-types.ts'
import { messageBody, messageHeaders } from '../../core/webhook-message.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { spec as listSpec } from '../../generated/specs/list_account_events.ts'

type Event = OperationOutput<'list_account_events'>['data'][number]

const POLL_MS = 500
/**
 * The time for which the next message waits for the answer to the one before. Messages begin in the order of their events, and a
 * receiver that hangs keeps none of them for longer.
 */
const PATIENCE_MS = 1000
/** The bytes of a secret. */
const SECRET_BYTES = 24

const AFTER = pickOperationFlags(listSpec, {
  after: {
    field: 'after',
    value: 'POSITION',
    description:
      'with --list: last of the list before, or 0 for all events. Default: the present end, with no events',
  },
})

export const listen = defineCommand({
  words: 'listen',
  summary: 'Print your events as they happen, forward them to an address, or list them',
  description:
    'Works on a store of this machine without `dray serve`, and on a service. Forwarded messages have the webhook format and are signed with the secret that is printed first. A failed one is reported and not sent again. Ctrl-C stops it, and so does --timeout. While the sandbox clock is frozen, only events caused by calls arrive. After a reset it says so, and begins again with the first event of the new store. --list is for those that happened: it lists the events after a position, without their resources, and ends.',
  flags: [
    {
      flag: 'forward-to',
      kind: 'text',
      value: 'URL|PORT',
      description:
        'address that receives each event as POST: a URL, localhost:3000/hooks, or a port of this machine',
    },
    {
      flag: 'events',
      kind: 'text',
      value: 'TYPES',
      description: 'event types, separated by commas: ride.completed,food_order.*. Default: all',
    },
    { flag: 'print', kind: 'boolean', description: 'print each message as JSON' },
    { flag: 'list', kind: 'boolean', description: 'list events, oldest first, and end' },
    ...AFTER,
  ],
  answer: ({ list }) => (list === true ? { of: [listSpec.operation.name] } : {}),
  examples: [
    'dray listen --print --as member',
    'dray listen --forward-to 3000',
    'dray listen --forward-to localhost:3000/hooks --events business_order.placed,business_order.accepted',
    'dray listen --output ndjson --timeout 1m',
    'dray listen --list --after 0',
  ],
  async run(cli, { list, after, events, print, 'forward-to': address }) {
    const types = readTypes(events)
    if (list === true) {
      assertExclusiveFlag('--list', { '--forward-to': address, '--print': print || undefined })
      return listEvents(cli, types, after)
    }
    if (after !== undefined) throw new AppError('usage', '--after goes with --list.')
    return follow(cli, {
      url: address === undefined ? undefined : readForwardAddress(address),
      types,
      whole: print === true || cli.settings.format !== 'table',
    })
  },
})

/** Prints the events of these types after a position; without one none, and the present end. */
async function listEvents(
  cli: CommandContext,
  types: ListenOptions['types'],
  after: string | undefined,
): Promise<number> {
  const client = await cli.client()
  const { value } = await client.call('list_account_events', after === undefined ? {} : { after })
  const shown = { ...value, data: value.data.filter(({ type }) => types.has(type)) }
  await printResult(cli, shown, await loadOperationHints('list_account_events'))
  return EXIT.ok
}

type ListenOptions = { url: string | undefined; types: ReadonlyMap<string, EventType>; whole: boolean }

/**
 * Returns the URL that an address means: a URL, a port of this machine (`3000`, `:3000/hooks`), or a host with a port or a path, by
 * https where a public name comes without a port. Throws `usage`.
 */
export function readForwardAddress(given: string): string {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(given)
  const local = /^:?(\d{1,5}(?:[/?].*)?)$/.exec(given)?.[1]
  const bare = local === undefined ? given : `localhost:${local}`
  const [host = ''] = bare.split(/[/?#]/, 1)
  const scheme = host.includes(':') || !host.includes('.') || /^[\d.]+$/.test(host) ? 'http' : 'https'
  const url = URL.parse(isUrl ? given : `${scheme}://${bare}`)
  if (url !== null && host !== '' && /^https?:$/.test(url.protocol)) return url.href
  throw new AppError(
    'usage',
    `--forward-to must be an address such as http://127.0.0.1:3000/hooks, localhost:3000/hooks or 3000, not ${sanitizeForTerminal(given.slice(0, 60))}.`,
  )
}

/** Returns the types that were requested. Throws `usage` for one that no event has. */
function readTypes(given: string | undefined): ListenOptions['types'] {
  const all = listEventTypes(RESOURCES)
  const wanted = given?.split(',').map((each) => each.trim()) ?? ['*']
  const chosen = wanted.flatMap((name) => {
    const found = all.filter(
      ({ type }) =>
        name === '*' || type === name || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
    )
    if (found.length > 0) return found
    const kinds = [...new Set(all.map(({ type }) => `${type.split('.', 1)[0]}.*`))].join(', ')
    throw new AppError(
      'usage',
      `--events: no event has the type ${sanitizeForTerminal(name.slice(0, 60))}.`,
      {
        hint: `Kinds of types: ${kinds}. \`dray webhooks create --help\` lists all.`,
      },
    )
  })
  return new Map(chosen.map((type) => [type.type, type]))
}

/** Tells of each event until a signal, or until --timeout (exit 0). */
async function follow(cli: CommandContext, wish: ListenOptions): Promise<number> {
  const { runtime, settings } = cli
  const stopped = runtime.interruption()
  const ends = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const client = await cli.client()
  const secret = `whsec_${runtime.random(SECRET_BYTES).toBase64()}`
  let { last: after } = (await client.call('list_account_events', {})).value
  await cli.say(
    wish.url === undefined ? 'Waiting for events.' : `Forwarding to ${wish.url}. The secret is ${secret}`,
  )
  const printer = makePrinter(cli, wish)
  try {
    while (runtime.elapsed() < ends) {
      const listed = await orNewBeginning(client.call('list_account_events', { after }))
      if ('first' in listed) {
        await cli.say('The store was reset or replaced. Beginning again with its first new event.')
        after = listed.first
        continue
      }
      const { data, last, has_more } = listed.value
      for (const event of data) {
        await deliverEvent(cli, wish, { event, secret, stopped, print: printer.add })
        stopped.throwIfAborted()
      }
      after = last
      printer.throwIfFailed()
      if (!has_more) await runtime.sleep(POLL_MS, stopped)
      stopped.throwIfAborted()
    }
  } finally {
    await printer.finish()
  }
  printer.throwIfFailed()
  return 0
}

type EventDelivery = {
  event: Event
  secret: string
  stopped: AbortSignal
  print(event: PrintedEvent): Promise<void>
}

/** Forwards and prints one event. One whose type was not asked for, or whose resource the account may not see, is omitted. */
async function deliverEvent(
  cli: CommandContext,
  wish: ListenOptions,
  { event, secret, stopped, print }: EventDelivery,
): Promise<void> {
  const type = wish.types.get(event.type)
  const body = type && (await readMessage(cli, event, type))
  if (type === undefined || body === undefined) return
  const id = `${event.event_id}.${type.type.split('.', 1)[0]}`
  const outcome = forward(cli, wish, { id, body, secret, stopped })
  const printed = print({ event, body, outcome })
  await (outcome === undefined ? printed : Promise.race([printed, cli.runtime.sleep(PATIENCE_MS, stopped)]))
}

/** Returns the body of the message of an event; undefined where the account may not see the resource. */
async function readMessage(cli: CommandContext, event: Event, type: EventType): Promise<string | undefined> {
  const client = await cli.client()
  let data: unknown
  try {
    data = (await client.call(type.show as string, { [type.id]: event.resource_id })).value
  } catch (error) {
    if (error instanceof AppError && (error.entry.status === 404 || error.entry.status === 403)) return
    throw error
  }
  return messageBody(event, JSON.stringify(data))
}

type OutgoingMessage = { id: string; body: string; secret: string; stopped: AbortSignal }

/** Posts a message, and returns what came of it, as a word of the printed line; undefined where nothing is forwarded. */
function forward(
  cli: CommandContext,
  { url }: ListenOptions,
  { id, body, secret, stopped }: OutgoingMessage,
): Promise<string> | undefined {
  if (url === undefined) return undefined
  const send = async (): Promise<string> => {
    const { post } = await import('../../host/webhooks/post.ts')
    const headers = messageHeaders({ id, body, secrets: [secret] }, cli.runtime.now())
    const { status, error } = await post({ url, headers, body }, { allowPrivate: true, signal: stopped })
    return error ?? String(status)
  }
  const outcome = send()
  // The caller that prints it sees the failure, which is that of Ctrl-C.
  outcome.catch(() => {})
  return outcome
}

type PrintedEvent = { event: Event; body: string; outcome: Promise<string> | undefined }

/** Prints events in their order, each once its message was answered. The first failure ends it. */
function makePrinter(cli: CommandContext, { whole }: ListenOptions) {
  let failure: { error: unknown } | undefined
  const print = async ({ event, body, outcome }: PrintedEvent): Promise<void> => {
    const ended = await outcome
    const { timestamp, type, resource_id } = event
    const parts = [timestamp, type, resource_id, ...(ended === undefined ? [] : [`→ ${ended}`])]
    const line = sanitizeForTerminal(parts.join('  '))
    await cli.io.stdout.write(`${whole ? body : line}\n`)
    if (whole && ended !== undefined) await cli.say(line)
  }
  let printing = Promise.resolve()
  return {
    /** Prints an event after those before it. Resolves when it is printed, or failed. */
    add(event: PrintedEvent): Promise<void> {
      printing = printing
        .then(() => (failure === undefined ? print(event) : undefined))
        .catch((error: unknown) => void (failure ??= { error }))
      return printing
    },
    throwIfFailed(): void {
      if (failure !== undefined) throw failure.error
    },
    finish: () => printing,
  }
}
