/** The choices of a page about its file. They come in a header, because the body is the file. */
import type { IncomingMessage } from 'node:http'
import { SERVICE_LEVEL_CODES, type ServiceLevelCode } from '../../../areas/carrier/rules/rates.ts'
import { AppError } from '../../../core/errors.ts'
import { MAX_REFERENCE_PREFIX } from '../../../core/pages.ts'
import { isRecord } from '../../../core/record.ts'
import type { LengthUnit, WeightUnit } from '../../../tabular/csv/numbers.ts'
import { SKIP_REASONS, type SkipReason } from '../../../tabular/manifest/order-status.ts'
import { USUAL_LEVEL } from '../../../tabular/manifest/services.ts'
import { parseJsonObject } from '../read-object.ts'

const HEADER = 'dray-upload'
const MAX_NAME_LENGTH = 200
const MAX_ANSWERS = 60
const MAX_SETTLED_ANSWERS = 80
const MAX_COLUMN_MAPS = 20

const SETTLING = [
  '--encoding',
  '--sheet',
  '--map',
  '--map-value',
  '--default',
  '--ignore',
  '--weight-unit',
  '--length-unit',
  '--date-order',
] as const

/** A response about the file, as the flag of `dray carrier upload` that says the same. */
export type SettledAnswer = { flag: (typeof SETTLING)[number]; value: string }

/** The position of a choice, or a text. */
type GivenAnswer = number | string

export type UploadOptions = {
  /** The name of the file. */
  name: string
  answers: readonly GivenAnswer[]
  /** The responses of an earlier reading, which are not asked for again. */
  settled: readonly SettledAnswer[]
  /** The column maps that the page keeps, by name. */
  maps: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The hub of parcels that name none, by id or code; the service chooses when omitted. */
  hub: string | undefined
  /** The service level of parcels that name none. */
  service: ServiceLevelCode
  /** The service level to use where the requested one is not available; undefined where these are rejected. */
  fallback: ServiceLevelCode | undefined
  /** Stands before each reference of the file. */
  prefix: string
  /** True if adjacent rows with the same reference are one parcel. */
  merge: boolean
  /** True if parcels that were cancelled before are made again. */
  again: boolean
  /** Reasons of orders that are sent, though they would be omitted. */
  include: readonly SkipReason[]
  /** The plan that is confirmed; undefined for a file that is only to be checked. */
  plan: string | undefined
}

/** Throws `invalid_request`. */
export function parseUploadOptions({ headers }: Pick<IncomingMessage, 'headers'>): UploadOptions {
  const wish = readHeader(headers[HEADER])
  const { name, answers = [], settled = [], maps = {}, hub, merge = false, again = false, plan } = wish
  const include = includedIn(wish)
  const sending = sendingIn(wish)
  const isRight =
    typeof name === 'string' &&
    name !== '' &&
    isListOf(answers, MAX_ANSWERS, isAnswer) &&
    isListOf(settled, MAX_SETTLED_ANSWERS, isSettled) &&
    isMaps(maps) &&
    [merge, again].every((each) => typeof each === 'boolean') &&
    [hub, plan].every(isTextOrNone)
  if (!isRight) throw wrongWish()
  return {
    name: baseName(name),
    answers,
    settled,
    maps,
    hub: hub as string | undefined,
    merge: merge === true,
    again: again === true,
    include,
    ...sending,
    plan: plan as string | undefined,
  }
}

function isListOf<T>(value: unknown, most: number, fits: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.length <= most && value.every(fits)
}

function isAnswer(each: unknown): each is GivenAnswer {
  return typeof each === 'number' || typeof each === 'string'
}

function wrongWish(): AppError {
  return new AppError(
    'invalid_request',
    'Dray-Upload must have the file name, and can have answers, settled, maps, hub, service, fallback, prefix, merge, again, include and plan.',
  )
}

function sendingIn({
  service = USUAL_LEVEL,
  fallback,
  prefix = '',
}: Record<string, unknown>): Pick<UploadOptions, 'service' | 'fallback' | 'prefix'> {
  const levelOf = (wanted: unknown) => SERVICE_LEVEL_CODES.find((code) => code === wanted)
  const [level, other] = [levelOf(service), levelOf(fallback)]
  if (
    level === undefined ||
    other !== fallback ||
    typeof prefix !== 'string' ||
    prefix.length > MAX_REFERENCE_PREFIX
  )
    throw wrongWish()
  return { service: level, fallback: other, prefix }
}

function includedIn({ include = [] }: Record<string, unknown>): SkipReason[] {
  if (isListOf(include, SKIP_REASONS.length, isReason)) return include
  throw wrongWish()
}

function isReason(each: unknown): each is SkipReason {
  return SKIP_REASONS.some((reason) => reason === each)
}

function isTextOrNone(each: unknown): boolean {
  return each === undefined || typeof each === 'string'
}

function isSettled(each: unknown): each is SettledAnswer {
  const { flag, value } = (each ?? {}) as Record<string, unknown>
  if (typeof value !== 'string') return false
  if (flag === '--weight-unit') return Object.hasOwn(WEIGHTS, value)
  if (flag === '--length-unit') return Object.hasOwn(LENGTHS, value)
  if (flag === '--date-order') return isDateOrder(value)
  return SETTLING.some((known) => known === flag)
}

function isMaps(maps: unknown): maps is UploadOptions['maps'] {
  if (!isEach(maps, (map) => isEach(map, (header) => typeof header === 'string'))) return false
  const all = Object.values(maps) as Record<string, string>[]
  return (
    all.length <= MAX_COLUMN_MAPS &&
    all.every(
      ({ weight_unit: weight = 'g', length_unit: length = 'mm', _date_order: order = 'day' }) =>
        Object.hasOwn(WEIGHTS, weight) && Object.hasOwn(LENGTHS, length) && isDateOrder(order),
    )
  )
}

function isEach(value: unknown, fits: (member: unknown) => boolean): value is Record<string, unknown> {
  return isRecord(value) && Object.values(value).every(fits)
}

function isDateOrder(value: string): boolean {
  return value === 'day' || value === 'month'
}

const WEIGHTS: Readonly<Record<WeightUnit, true>> = { g: true, kg: true, oz: true, lb: true }
const LENGTHS: Readonly<Record<LengthUnit, true>> = { mm: true, cm: true, m: true, in: true }

function readHeader(header: string | string[] | undefined): Record<string, unknown> {
  try {
    return parseJsonObject(Buffer.from(decodeURIComponent(String(header ?? ''))))
  } catch (error) {
    throw new AppError('invalid_request', 'Dray-Upload must be a JSON object, percent-encoded.', {
      cause: error,
    })
  }
}

/** Some browsers name the folder, too. The name of the answering files is made of it. */
function baseName(path: string): string {
  return (path.split(/[/\\]/).at(-1) || 'manifest.csv').slice(-MAX_NAME_LENGTH)
}
