/** The choice of a provider: by id, by name near a place, or from those who come there. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { askWhich, pointNear, formatNearby } from '../../cli/nearby.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import type { Point } from '../../core/geometry.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { findPoint, PLACE_HELP } from '../../core/places/words.ts'
import { formatMinutes } from '../../core/time.ts'
import { matchByName } from '../items.ts'

type Provider = OperationOutput<'search_service_providers'>['data'][number]
type ServiceOffer = Provider['services'][number]

export const SERVICE_FLAG = {
  flag: 'service',
  fieldPath: 'service_code',
  kind: 'text',
  value: 'SERVICE',
  description: 'service name or code: "Deep clean", deep_clean',
} as const satisfies Flag

export const SERVICE_EXAMPLE = 'Deep clean'

export const NEAR_PROVIDER_FLAG = {
  flag: 'near',
  kind: 'text',
  value: 'PLACE',
  description: `place near which to search for the provider by name: ${PLACE_HELP}. Default in a sandbox: the City`,
} as const satisfies Flag

export const PROVIDER = { name: 'provider', description: 'provider name or ID' } as const

/** The flags with the place and the kind of the job. */
type SearchFlags = FlagValues<[typeof SERVICE_FLAG, typeof NEAR_PROVIDER_FLAG]> & { to?: string | undefined }

/** The id, and what else is known of the provider: nothing, when it was named by its id. */
export type ChosenProvider = { id: string; provider: Provider | undefined }

/** The provider that is meant, or one chosen on the terminal. Throws AppError('usage' | 'provider_not_found'). */
export async function resolveProvider(
  cli: CommandContext,
  args: SearchFlags,
  asked: string | undefined,
): Promise<ChosenProvider> {
  if (asked === undefined) return chooseProvider(cli, args)
  if (/^prv_[0-9a-z]{26}$/.test(asked)) return { id: asked, provider: undefined }
  const found = await search(cli, args, { q: asked.slice(0, 80) })
  const picked = matchByName(found, asked, idOf)
  // A search also finds those who only offer what was typed.
  const several = 'one' in picked ? [picked.one] : picked.several.length > 0 ? picked.several : found
  const [one, ...more] = several
  if (one === undefined) {
    throw new AppError(
      'provider_not_found',
      `No provider who travels there is named ${JSON.stringify(asked.slice(0, 60))}.`,
      { hint: '`dray services providers` shows who comes.' },
    )
  }
  if (more.length === 0) return { id: one.provider_id, provider: one }
  const provider = await askWhich(cli, 'providers', several, { idOf, choiceOf })
  return { id: provider.provider_id, provider }
}

async function chooseProvider(cli: CommandContext, args: SearchFlags): Promise<ChosenProvider> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [{ flag: 'PROVIDER', description: 'provider name or ID' }])
  const found = await search(cli, args, wishOf(args.service))
  if (found.length === 0) {
    throw new AppError('provider_not_found', 'No provider travels there.', {
      hint: 'Use --near to search elsewhere.',
    })
  }
  const provider = await ask.select({
    message: 'Which provider?',
    choices: found.map((each) => choiceOf(each)),
  })
  cli.answered.push({ flag: provider.provider_id })
  return { id: provider.provider_id, provider }
}

/** A code finds those who offer it; other words may be of its name. */
function wishOf(service: string | undefined): { service_code?: string; q?: string } {
  if (service === undefined) return {}
  return SERVICE_CODE.test(service) ? { service_code: service } : { q: service.slice(0, 80) }
}

const SERVICE_CODE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/

async function search(
  cli: CommandContext,
  args: SearchFlags,
  more: Record<string, unknown>,
): Promise<Provider[]> {
  const client = await cli.client()
  const { value } = await client.call('search_service_providers', {
    ...(await pointNear(cli, args.near, siteOf(args))),
    limit: 100,
    ...more,
  })
  return value.data
}

/** Returns the place where the job is. */
function siteOf(args: SearchFlags): Point | undefined {
  const to = args.to
  return to === undefined ? undefined : findPoint(to)
}

/**
 * Returns the code of the service that was typed, by its code or by its name as the provider has it. Throws
 * AppError('service_not_offered').
 */
export async function resolveServiceCode(
  cli: CommandContext,
  args: SearchFlags,
  chosen: ChosenProvider,
  typed: string,
): Promise<string> {
  if (chosen.provider === undefined && SERVICE_CODE.test(typed)) return typed
  const known = await offersOf(cli, args, chosen)
  // The service says what is wrong with the words.
  if (known === undefined) return typed
  const { name, services } = known
  const picked = matchByName(services, typed, ({ service_code }) => service_code)
  if ('one' in picked) return picked.one.service_code
  const names = (some: readonly ServiceOffer[]) => some.map((each) => each.name).join(', ')
  const asked = JSON.stringify(typed.slice(0, 60))
  const detail =
    picked.several.length > 0
      ? `${asked} of ${name} may be ${names(picked.several)}`
      : `${name} offers ${names(services)}, but not ${asked}`
  throw new AppError('service_not_offered', `${detail}.`, {
    errors: [{ pointer: '/service_code', code: 'invalid_enum', detail }],
  })
}

/** Returns the name of a service, or its code where the name is not known. */
export function formatServiceName({ provider }: ChosenProvider, code: string): string {
  return provider?.services.find(({ service_code }) => service_code === code)?.name ?? code
}

/** Returns the provider with its services; a provider named by id is searched for, and undefined when not found. */
async function offersOf(
  cli: CommandContext,
  args: SearchFlags,
  { id, provider }: ChosenProvider,
): Promise<Provider | undefined> {
  return provider ?? (await search(cli, args, {})).find(({ provider_id }) => provider_id === id)
}

/** One service of a provider, chosen on the terminal. */
export async function chooseService(
  cli: CommandContext,
  args: SearchFlags,
  chosen: ChosenProvider,
): Promise<string> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [{ flag: '--service', value: SERVICE_EXAMPLE, description: 'service' }])
  const known = await offersOf(cli, args, chosen)
  if (known === undefined) {
    throw new AppError('usage', 'Missing: the service. Set it with --service.', {
      hint: '`dray services providers --json` lists the services of each.',
    })
  }
  const offer = await ask.select({
    message: `Service of ${known.name}?`,
    choices: known.services.map((each) => ({
      value: each,
      name: `${each.name}, ${offerPrice(each)}`,
      description: each.description,
    })),
  })
  cli.answered.push({ flag: '--service', value: offer.name })
  return offer.service_code
}

/** `£18.00 an hour, from 2 h`, `£45.00 for 1 h` */
export function offerPrice({ pricing, default_duration_minutes }: ServiceOffer): string {
  const price = formatGroupedMoney(pricing.price)
  const callout =
    pricing.callout_fee.amount === 0 ? '' : ` and ${formatGroupedMoney(pricing.callout_fee)} call-out`
  return pricing.model === 'hourly'
    ? `${price} an hour, from ${formatMinutes(pricing.minimum_minutes)}${callout}`
    : `${price} for ${formatMinutes(default_duration_minutes)}${callout}`
}

function idOf({ provider_id }: Provider): string {
  return provider_id
}

function choiceOf(provider: Provider): { value: Provider; name: string; description: string } {
  return {
    value: provider,
    name: formatNearby(provider),
    description: provider.services.map((each) => each.name).join(', '),
  }
}
