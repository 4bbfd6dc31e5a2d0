import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import type { Client } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { randomId } from '../../core/ids.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { type TriggerCall, TRIGGERS } from './stories.ts'

/** More planned events than any story has. */
const MAX_TRIGGER_STEPS = 60

const TYPES = Object.entries(TRIGGERS).flatMap(([kind, { words }]) =>
  Object.keys(words).map((word) => `${kind}.${word}`),
)

export const trigger = defineCommand({
  words: 'trigger',
  summary: 'Make an event happen in the sandbox, by running the steps that lead to it',
  description:
    'Creates the resource and runs the steps up to the event; the sandbox clock does not move. The event reaches webhooks and `dray listen` as any other.',
  positionals: [{ name: 'event', choices: TYPES, required: true, description: 'event type' }],
  examples: ['dray trigger food_order.accepted', 'dray trigger shipment.delivered --as shipper'],
  danger: 'write',
  answer: { fields: ['type', 'resource_id', 'timestamp'] },
  async run(cli, { event = '' }) {
    const [kind = '', word = ''] = event.split('.')
    const story = TRIGGERS[kind]?.words[word]
    if (TRIGGERS[kind] === undefined || story === undefined) {
      const meant = findClosestWord(event, TYPES)
      const hint = meant === undefined ? `Types: ${TYPES.join(', ')}.` : `Did you mean ${meant}?`
      throw new AppError('usage', `No story ends in the event ${sanitizeForTerminal(event.slice(0, 60))}.`, {
        hint,
      })
    }
    const { make, id } = TRIGGERS[kind]
    if (cli.globals.dryRun) return printDry(cli, [...(story.make ?? make), ...(story.acts ?? [])])
    await assertProfileConfirmed(cli)
    const client = await cli.client()
    // A service that is no sandbox rejects this, before anything is bought there.
    const now = Date.parse((await client.control('get_clock', {})).now)
    const { last } = (await client.call('list_account_events', {})).value
    const newKey = () => randomId('key', cli.runtime.now(), cli.runtime.random(10))
    const tell = makeCallRunner(client, now, newKey)
    const made = await tell(story.make ?? make, {}, story.scenario)
    const resource = String((made as Record<string, unknown>)[id])
    await tell(story.acts ?? [], { [id]: resource })
    const found = await waitFor(client, { type: event, resource, after: last })
    const { type, resource_id, timestamp } = found
    await printResult(cli, { type, resource_id, timestamp }, { done: `${type} happened to ${resource_id}.` })
    return EXIT.ok
  },
})

async function printDry(cli: CommandContext, calls: readonly TriggerCall[]): Promise<number> {
  await printResult(cli, { calls: calls.map(({ call }) => call) })
  await cli.say('Dry run: nothing was sent.')
  return EXIT.ok
}

/** Returns a function that makes calls one after another, the last one with the scenario, and returns its answer. `subject` is part of each input. */
function makeCallRunner(client: Client, now: number, newKey: () => string) {
  const done: Record<string, unknown> = {}
  return async (calls: readonly TriggerCall[], subject: object, scenario?: string): Promise<unknown> => {
    let last: unknown
    for (const one of calls) {
      const { call, plane, as, ofWorld = false } = one
      const input = {
        ...(!ofWorld && subject),
        ...(typeof one.input === 'function' ? one.input(done, now) : one.input),
      }
      const played = one === calls.at(-1) ? scenario : undefined
      const options = { ...(as !== undefined && { as }), ...(played !== undefined && { scenario: played }) }
      last =
        plane === 'sandbox'
          ? await client.control(call, input)
          : (await client.call(call, input, { idempotencyKey: newKey(), ...options })).value
      done[call] = last
    }
    return last
  }
}

type AwaitedEvent = { type: string; resource: string; after: string }

/** Lets the next planned event of the resource happen until the wanted one has. Throws `invalid_state` when none is planned. */
async function waitFor(client: Client, { type, resource, after }: AwaitedEvent) {
  let seen = after
  for (let step = 0; step < MAX_TRIGGER_STEPS; step++) {
    const { data, last } = (await client.call('list_account_events', { after: seen })).value
    const found = data.find((event) => event.type === type && event.resource_id === resource)
    if (found !== undefined) return found
    seen = last
    await client.control('step_resource', { resource_id: resource })
  }
  throw new AppError('invalid_state', `${resource} did not come to ${type}.`)
}
