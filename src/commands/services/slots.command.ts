import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { shellQuote } from '../../cli/output/shell.ts'
import { printResult, printEmptyReason } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { formatMinutes } from '../../core/time.ts'
import { spec as getAvailability } from '../../generated/specs/get_provider_availability.ts'
import { gridText } from './grid-text.ts'
import { listSlots, readJobDate } from './job.ts'
import {
  chooseService,
  resolveProvider,
  resolveServiceCode,
  NEAR_PROVIDER_FLAG,
  PROVIDER,
  SERVICE_FLAG,
  formatServiceName,
} from './providers.ts'

const DAYS = 7
const MAX_SLOT_DAYS = 14

const FIELDS = pickOperationFlags(getAvailability, {
  duration: { field: 'duration_minutes', value: 'MINUTES' },
  days: { field: 'days', description: `number of days, up to ${MAX_SLOT_DAYS}; ${DAYS} without it` },
})

const FLAGS = [
  SERVICE_FLAG,
  ...FIELDS,
  {
    flag: 'date',
    fieldPath: 'date',
    kind: 'text',
    value: 'DATE',
    description: 'first day: 2026-11-21, tomorrow. Default: today',
  },
  NEAR_PROVIDER_FLAG,
] as const satisfies readonly Flag[]

/** `dray services slots PROVIDER --service CODE`: when a job could begin, a column for each day. */
export const servicesSlots = defineCommand({
  words: 'services slots',
  summary: 'Show a provider’s free start times by day',
  description:
    'Shows starts with enough free time for the whole job, in the provider’s local time. Piped output has one line per start. A start is not reserved until it is booked.',
  positionals: [PROVIDER],
  flags: FLAGS,
  examples: [
    'dray services slots "Bright Corner" --service "Deep clean"',
    'dray services slots "Bright Corner" --duration 120 --date tomorrow --days 14',
    'dray services slots "Bright Corner" --service deep_clean --output ndjson --fields starts_at',
  ],
  run: printSlots,
})

async function printSlots(
  cli: CommandContext,
  args: FlagValues<typeof FLAGS, [typeof PROVIDER]>,
): Promise<number> {
  const { days = DAYS, ...length } = await readInputFromFlags(cli, FIELDS, args)
  if (days < 1 || days > MAX_SLOT_DAYS)
    throw new AppError('usage', `--days must be from 1 to ${MAX_SLOT_DAYS}, not ${days}.`)
  const chosen = await resolveProvider(cli, args, args.provider)
  const service =
    args.service === undefined
      ? length.duration_minutes === undefined
        ? await chooseService(cli, args, chosen)
        : undefined
      : await resolveServiceCode(cli, args, chosen, args.service)
  const job = {
    provider_id: chosen.id,
    ...(service !== undefined && { service_code: service }),
    ...length,
  }
  const date = await readJobDate(cli, job, args.date)
  const found = await listSlots(await cli.client(), job, date, days)
  const hints = await loadOperationHints('get_provider_availability')
  if (!isInteractiveTable(cli)) {
    await printResult(cli, found, hints)
    return EXIT.ok
  }
  const grid = gridText({ date, days, slots: found.data }, renderOptionsOf(cli, 'stdout'))
  await cli.io.stdout.write(`${grid}\n`)
  const what = `${formatMinutes(found.duration_minutes)}, times of ${found.timezone}`
  await cli.say(cli.settings.accessible ? `Free starts: ${what}.` : `● free start: ${what}.`)
  const [first] = found.data
  if (first === undefined) await printEmptyReason(cli, found, hints)
  if (first !== undefined && service !== undefined)
    await cli.say(
      `Next: \`dray services book ${chosen.id} --service ${shellQuote(formatServiceName(chosen, service))} --at ${first.starts_at}\``,
    )
  return EXIT.ok
}
