import type { Cli } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { clean } from '../../cli/output/text.ts'
import type { Answer } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { orNewBeginning } from '../../core/event-position.ts'
import { listEventTypes, type EventType } from '../../core/event-types.ts'
import { messageBody, messageHeaders } from '../../core/webhook-message.ts'
import { RESOURCES } from '../../generated/resources.ts'

type Event = Answer<'list_account_events'>['data'][number]

const POLL_MS = 500
/** The bytes of a secret. */
const SECRET_BYTES = 24

export const listen = defineCommand({
  words: 'listen',
  summary: 'Print your events as they happen, or forward them to an address',
  description:
    'Works on a store of this machine without `dray serve`, and on a service. Forwarded messages are as those of webhooks, signed with the secret that is printed first; one that fails is reported and not sent again. Ctrl-C stops it, and so does --timeout. While the sandbox clock stands still it waits for what others do. After a reset it says so, and begins again with the first event of the new store.',
  flags: [
    {
      flag: 'forward-to',
      kind: 'text',
      value: 'URL',
      description: 'address that receives each event as POST',
    },
    {
      flag: 'events',
      kind: 'text',
      value: 'TYPES',
      description: 'event types, separated by commas: ride.completed,food_order.*. Default: all',
    },
    { flag: 'print', kind: 'boolean', description: 'print each message as JSON' },
  ],
  examples: [
    'dray listen --print --as member',
    'dray listen --forward-to http://127.0.0.1:3000/hooks --events business_order.placed,business_order.accepted',
    'dray listen --output ndjson --timeout 1m',
  ],
  run: (cli, args) =>
    follow(cli, {
      url: readUrl(args['forward-to']),
      types: readTypes(args.events),
      whole: args.print === true || cli.settings.format !== 'table',
    }),
})

type Wish = { url: string | undefined; types: ReadonlyMap<string, EventType>; whole: boolean }

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined || /^https?:$/.test(URL.parse(given)?.protocol ?? '')) return given
  throw new AppError(
    'usage',
    `--forward-to must be an address such as http://127.0.0.1:3000/hooks, not ${clean(given.slice(0, 60))}.`,
  )
}

/** Returns the types that were asked for. Throws `usage` for one that no event has. */
function readTypes(given: string | undefined): Wish['types'] {
  const all = listEventTypes(RESOURCES)
  const wanted = given?.split(',').map((each) => each.trim()) ?? ['*']
  const chosen = wanted.flatMap((name) => {
    const found = all.filter(
      ({ type }) =>
        name === '*' || type === name || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
    )
    if (found.length > 0) return found
    const kinds = [...new Set(all.map(({ type }) => `${type.split('.', 1)[0]}.*`))].join(', ')
    throw new AppError('usage', `--events: no event has the type ${clean(name.slice(0, 60))}.`, {
      hint: `Kinds of types: ${kinds}. \`dray webhooks create --help\` lists all.`,
    })
  })
  return new Map(chosen.map((type) => [type.type, type]))
}

/** Tells of each event until a signal, or until --timeout (exit 0). */
async function follow(cli: Cli, wish: Wish): Promise<number> {
  const { runtime, settings } = cli
  const stopped = runtime.interruption()
  const ends = runtime.elapsed() + (settings.timeoutMs ?? Infinity)
  const client = await cli.client()
  const secret = `whsec_${runtime.random(SECRET_BYTES).toBase64()}`
  let { last: after } = (await client.call('list_account_events', {})).value
  await cli.say(
    wish.url === undefined ? 'Waiting for events.' : `Forwarding to ${wish.url}. The secret is ${secret}`,
  )
  while (runtime.elapsed() < ends) {
    const listed = await orNewBeginning(client.call('list_account_events', { after }))
    if ('first' in listed) {
      await cli.say('The store was reset or replaced. Beginning again with its first new event.')
      after = listed.first
      continue
    }
    const { data, last, has_more } = listed.value
    for (const event of data) {
      const type = wish.types.get(event.type)
      if (type !== undefined) await tell(cli, wish, { event, type, secret, stopped })
      stopped.throwIfAborted()
    }
    after = last
    stopped.throwIfAborted()
    if (!has_more) await runtime.sleep(POLL_MS, stopped)
    stopped.throwIfAborted()
  }
  return 0
}

type Telling = { event: Event; type: EventType; secret: string; stopped: AbortSignal }

/** Forwards one event, and prints it. One whose resource the account may not see is left out. */
async function tell(
  cli: Cli,
  { url, whole }: Wish,
  { event, type, secret, stopped }: Telling,
): Promise<void> {
  const client = await cli.client()
  let data: unknown
  try {
    data = (await client.call(type.show as string, { [type.id]: event.resource_id })).value
  } catch (error) {
    if (error instanceof AppError && (error.entry.status === 404 || error.entry.status === 403)) return
    throw error
  }
  const body = messageBody(event, JSON.stringify(data))
  let outcome: string | undefined
  if (url !== undefined) {
    const { post } = await import('../../host/webhooks/post.ts')
    const id = `${event.event_id}.${type.type.split('.', 1)[0]}`
    const headers = messageHeaders({ id, body, secrets: [secret] }, cli.runtime.now())
    const { status, error } = await post({ url, headers, body }, { allowPrivate: true, signal: stopped })
    outcome = error ?? String(status)
  }
  const { timestamp, resource_id } = event
  const line = [timestamp, event.type, resource_id, ...(outcome === undefined ? [] : [`→ ${outcome}`])].join(
    '  ',
  )
  if (whole) await cli.io.stdout.write(`${body}\n`)
  else await cli.io.stdout.write(`${clean(line)}\n`)
  if (whole && outcome !== undefined) await cli.say(clean(line))
}
