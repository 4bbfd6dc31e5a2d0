/** Builds a service request, from flags or by asking. */
import { readOrAskPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { requireMoment } from '../../cli/moment.ts'
import { DEFAULT_SANDBOX_ADDRESS } from '../../cli/places.ts'
import { listMissing, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { PLACE_HELP } from '../../core/places/words.ts'
import { localDate, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { spec as quoteService } from '../../generated/specs/quote_service.ts'
import { heading, timeOf } from './grid-text.ts'
import {
  chooseService,
  resolveProvider,
  resolveServiceCode,
  NEAR_PROVIDER_FLAG,
  type PROVIDER,
  SERVICE_EXAMPLE,
  SERVICE_FLAG,
} from './providers.ts'

type Availability = OperationOutput<'get_provider_availability'>

const FIELDS = pickOperationFlags(quoteService, {
  duration: {
    field: 'duration_minutes',
    value: 'MINUTES',
    description: 'duration, for services sold by the hour',
  },
  notes: 'notes',
})

export const JOB_FLAGS = [
  SERVICE_FLAG,
  {
    flag: 'to',
    fieldPath: 'place',
    kind: 'text',
    value: 'PLACE',
    description: `address: ${PLACE_HELP}`,
  },
  {
    flag: 'at',
    fieldPath: 'starts_at',
    kind: 'text',
    value: 'TIME',
    description: 'free start in the provider’s local time: "tomorrow 09:00", 2026-11-21T09:00:00Z',
  },
  ...FIELDS,
  NEAR_PROVIDER_FLAG,
] as const satisfies readonly Flag[]

export type JobArgs = FlagValues<typeof JOB_FLAGS, [typeof PROVIDER]>

const MAX_AVAILABILITY_DAYS = 14

/** The body of the quote; on a terminal what is missing is requested. Throws AppError('usage'). */
export async function readJob(
  cli: CommandContext,
  args: JobArgs,
  { asksForStart }: { asksForStart: boolean },
): Promise<OperationInput<'quote_service'>> {
  const named = args.provider
  const missing = missingOfJob(args)
  if (missing.length > 0 && (await cli.ask()) === undefined) throw missingInputError(cli.argv, missing)
  const chosen = await resolveProvider(cli, args, named)
  const service =
    args.service === undefined
      ? await chooseService(cli, args, chosen)
      : await resolveServiceCode(cli, args, chosen, args.service)
  const place = await readOrAskPlace(cli, args.to, 'to', 'Service address?')
  const { notes, ...duration } = await readInputFromFlags(cli, FIELDS, args)
  const job = { provider_id: chosen.id, service_code: service, ...duration }
  const at = args.at
  const starts_at =
    at !== undefined
      ? await readStart(cli, job, at)
      : asksForStart && missing.length > 0
        ? await askStart(cli, job)
        : undefined
  return {
    ...job,
    place,
    ...(starts_at !== undefined && { starts_at }),
    ...(notes !== undefined && { notes }),
  }
}

/** Returns the missing inputs, for scripts. */
export function missingOfJob(args: JobArgs): MissingInput[] {
  return [
    ...(args.provider === undefined ? [{ flag: 'PROVIDER', description: 'provider name or ID' }] : []),
    ...listMissing(args.service, 'service', SERVICE_EXAMPLE, 'what is to be done'),
    ...listMissing(args.to, 'to', DEFAULT_SANDBOX_ADDRESS, 'where it is to be done'),
  ]
}

/** The input that lists the starts of a job. */
export type SlotJob = { provider_id: string; service_code?: string; duration_minutes?: number }

export async function listSlots(
  client: Client,
  job: SlotJob,
  date: string,
  days: number,
): Promise<Availability> {
  return (await client.call('get_provider_availability', { ...job, date, days })).value
}

/** The date that is meant where the provider is; without one that of today. Throws AppError('usage'). */
export async function readJobDate(
  cli: CommandContext,
  job: SlotJob,
  typed: string | undefined,
  flag = '--date',
): Promise<string> {
  if (typed === undefined) {
    const { now, timezone } = await clockOf(await cli.client(), job)
    return localDate(now, timezone)
  }
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return typed
  const { ms, timezone } = await readStartMoment(cli, job, typed, flag)
  return localDate(ms, timezone)
}

/** The current time, and the timezone where the provider is. */
async function clockOf(client: Client, job: SlotJob): Promise<{ now: number; timezone: string }> {
  const { now } = await client.serviceTime()
  const { timezone } = await listSlots(client, job, toTimestamp(now).slice(0, 10), 1)
  return { now, timezone }
}

async function readStart(cli: CommandContext, job: SlotJob, typed: string): Promise<string> {
  const exact = parseTimestamp(typed)
  return toTimestamp(exact ?? (await readStartMoment(cli, job, typed, '--at')).ms)
}

/** Times are meant where the provider is, as its grid shows them. */
async function readStartMoment(
  cli: CommandContext,
  job: SlotJob,
  typed: string,
  flag: string,
): Promise<{ ms: number; timezone: string }> {
  const { now, timezone } = await clockOf(await cli.client(), job)
  const examples = '"tomorrow 09:00" or 2026-11-21'
  const ms = await requireMoment(cli, typed, { flag, examples, zone: timezone, now: async () => now })
  return { ms, timezone }
}

/** A day, then a start on it; none where the provider is to choose. */
async function askStart(cli: CommandContext, job: SlotJob): Promise<string | undefined> {
  const ask = await cli.ask()
  if (ask === undefined) return undefined
  const today = await readJobDate(cli, job, undefined)
  const { data } = await listSlots(await cli.client(), job, today, MAX_AVAILABILITY_DAYS)
  const days = Map.groupBy(data, ({ local_start }) => local_start.slice(0, 10))
  const day = await ask.select<string | undefined>({
    message: 'Which day?',
    choices: [
      ...[...days].map(([date, slots]) => ({
        value: date,
        name: `${heading(date)}, ${slots.length} free ${slots.length === 1 ? 'start' : 'starts'}`,
      })),
      { value: undefined, name: 'Any day; the provider chooses' },
    ],
  })
  if (day === undefined) return undefined
  const slot = await ask.select({
    message: 'Which start?',
    choices: (days.get(day) ?? []).map((each) => ({ value: each, name: timeOf(each) })),
  })
  cli.answered.push({ flag: '--at', value: slot.starts_at })
  return slot.starts_at
}
