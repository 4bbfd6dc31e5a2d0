/** Builds a task request with its evidence rules, from flags and files, or by asking. */
import { readOrAskPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { readJsonInput } from '../../cli/json-input.ts'
import { DEFAULT_SANDBOX_ADDRESS } from '../../cli/places.ts'
import { listMissing, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import { readWindow } from '../../cli/window.ts'
import type { Client } from '../../client/client.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { type Place, findPlacePoint, resolvePlace } from '../../core/places/place.ts'
import { PLACE_HELP } from '../../core/places/words.ts'
import { toTimestamp } from '../../core/time.ts'
import { spec as quoteTask } from '../../generated/specs/quote_task.ts'
import { askRequirements, lackingOf, readRequirement } from './requirements.ts'
import { readRules } from './rules.ts'

type TaskType = OperationOutput<'list_task_types'>['data'][number]

const FIELDS = pickOperationFlags(quoteTask, {
  duration: { field: 'estimated_minutes', value: 'MINUTES', description: 'duration, where you know it' },
})

export const TASK_JOB_FLAGS = [
  {
    flag: 'to',
    fieldPath: 'place',
    kind: 'text',
    value: 'PLACE',
    description: `address: ${PLACE_HELP}`,
  },
  {
    flag: 'window',
    fieldPath: 'window',
    kind: 'text',
    value: 'FROM/TO',
    description:
      'time window in your local time: "tomorrow 09:00/tomorrow 13:00", /18:00. Default: the next 24 hours',
  },
  { flag: 'express', fieldPath: 'urgency', kind: 'boolean', description: 'send somebody sooner, for more' },
  ...FIELDS,
  {
    flag: 'require',
    fieldPath: 'requirements',
    kind: 'text',
    value: 'NAME=VALUE',
    repeat: true,
    description: 'details that the type asks for: store_name=Spar, products="Oat milk,Rye bread"',
  },
  {
    flag: 'requirements',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'read',
    description: 'the same as a JSON object; --require adds to it',
  },
  {
    flag: 'rule',
    fieldPath: 'evidence_rules',
    kind: 'text',
    value: 'RULE',
    repeat: true,
    description: 'stricter evidence: "shelf_photos min_count=4 geofence_radius_m=50"',
  },
  {
    flag: 'rules',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'read',
    description: 'stricter evidence as JSON, {"evidence_rules": [...]}; further questions go here',
  },
] as const satisfies readonly Flag[]

export const TASK_TYPE = {
  name: 'task_type',
  description: 'task type, as `dray tasks types` lists it',
} as const

export type TaskJobArgs = FlagValues<typeof TASK_JOB_FLAGS, [typeof TASK_TYPE]>

/** The body of the quote; on a terminal what is missing is requested. Throws AppError('usage' | 'file_error'). */
export async function readTaskJob(
  cli: CommandContext,
  args: TaskJobArgs,
): Promise<OperationInput<'quote_task'>> {
  const named = args.task_type
  const missing = findMissingTaskInputs(args)
  const ask = await cli.ask()
  if (missing.length > 0 && ask === undefined) throw missingInputError(cli.argv, missing)
  const place = await readOrAskPlace(cli, args.to, 'to', 'Task address?')
  const types = await listTypes(await cli.client(), place)
  const { task_type, type } = await chooseType(cli, types, named)
  const requirements = await chooseRequirements(cli, args, type)
  const rules = await readRules(cli, args)
  const window = await chooseWindow(cli, args.window)
  return {
    task_type,
    place,
    ...(requirements !== undefined && { requirements }),
    ...(window !== undefined && { window }),
    ...(args.express === true && { urgency: 'express' }),
    ...(rules.length > 0 && { evidence_rules: rules }),
    ...(await readInputFromFlags(cli, FIELDS, args)),
  }
}

/** Returns the missing inputs of a quote, for scripts. */
export function findMissingTaskInputs(args: TaskJobArgs): MissingInput[] {
  return [
    ...(args.task_type === undefined
      ? [{ flag: 'TASK_TYPE', description: 'task type, such as shelf_audit' }]
      : []),
    ...listMissing(args.to, 'to', DEFAULT_SANDBOX_ADDRESS, 'where it is to be done'),
  ]
}

/** Returns the task types that are available at the place. */
async function listTypes(client: Client, place: Place): Promise<TaskType[]> {
  const point = findPlacePoint(place) ?? resolvePlace(place)?.location
  const { value } = await client.call('list_task_types', {
    ...(point !== undefined && { latitude: point.latitude, longitude: point.longitude }),
    limit: 100,
  })
  return value.data
}

/** Without its type where that cannot be had: the service says why. */
async function chooseType(
  cli: CommandContext,
  types: readonly TaskType[],
  named: string | undefined,
): Promise<{ task_type: string; type: TaskType | undefined }> {
  if (named !== undefined)
    return { task_type: named, type: types.find(({ task_type }) => task_type === named) }
  const ask = await cli.ask()
  if (ask === undefined || types.length === 0) {
    throw new AppError('no_qualified_provider', 'Nobody can be sent there for anything just now.')
  }
  const type = await ask.select({
    message: 'What is to be done?',
    choices: types.map((each) => ({
      value: each,
      name: `${each.name}, from ${formatGroupedMoney(each.base_price)}`,
      description: each.description,
    })),
  })
  cli.answered.push({ flag: type.task_type })
  return { task_type: type.task_type, type }
}

async function chooseRequirements(
  cli: CommandContext,
  { requirements: file, require: typed = [] }: TaskJobArgs,
  type: TaskType | undefined,
): Promise<Record<string, unknown> | undefined> {
  const base = file === undefined ? undefined : await readJsonInput(cli, file)
  // The service says why it cannot be had.
  if (type === undefined) return base
  const { requirements_schema: schema } = type
  const given = { ...base, ...Object.fromEntries(typed.map((each) => readRequirement(schema, each))) }
  const unsaid = lackingOf(schema, given)
  if (unsaid.length === 0) return given
  const ask = await cli.ask()
  if (ask === undefined) {
    throw missingInputError(
      cli.argv,
      unsaid.map(({ name, example, description }) => ({
        flag: '--require',
        part: name,
        value: `${name}=${example}`,
        description,
      })),
    )
  }
  return askRequirements(ask, schema, given, (answer) =>
    cli.answered.push({ flag: '--require', value: answer }),
  )
}

async function chooseWindow(
  cli: CommandContext,
  typed: string | undefined,
): Promise<{ starts_at: string; ends_at: string } | undefined> {
  if (typed === undefined) return undefined
  const { from, to, now } = await readWindow(cli, typed)
  const starts = from ?? now
  return { starts_at: toTimestamp(starts), ends_at: toTimestamp(to ?? starts + DAY_MS) }
}

const DAY_MS = 86_400_000
