import { AppError } from '../core/errors.ts'
import type { Format } from './globals.ts'

/** The values of environment variables; empty ones count as absent. */
export type Environment = {
  profile: string | undefined
  token: string | undefined
  baseUrl: string | undefined
  store: string | undefined
  output: Format | undefined
  timeout: string | undefined
  maxTotal: string | undefined
  oneActiveRide: boolean | undefined
  seed: string | undefined
  now: string | undefined
  yes: boolean | undefined
  noInput: boolean | undefined
  debug: boolean | undefined
  accessible: boolean | undefined
  noKeyring: boolean | undefined
}

const FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

/** Reads the environment variables. Throws AppError('usage') for an invalid value. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const text = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const flag = (name: string): boolean | undefined => {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return undefined
    if (['1', 'true', 'yes', 'on'].includes(value)) return true
    if (['0', 'false', 'no', 'off'].includes(value)) return false
    throw new AppError('usage', `${name} must be 1 or 0, not ${JSON.stringify(value.slice(0, 40))}.`)
  }
  const output = text('DRAY_OUTPUT')
  const format = FORMATS.find((known) => known === output)
  if (output !== undefined && format === undefined) {
    throw new AppError(
      'usage',
      `DRAY_OUTPUT must be one of ${FORMATS.join(', ')}, not ${JSON.stringify(output.slice(0, 40))}.`,
    )
  }
  return {
    profile: text('DRAY_PROFILE'),
    token: checkToken(text('DRAY_TOKEN')),
    baseUrl: text('DRAY_BASE_URL'),
    store: text('DRAY_STORE'),
    output: format,
    timeout: text('DRAY_TIMEOUT'),
    maxTotal: text('DRAY_MAX_TOTAL'),
    oneActiveRide: flag('DRAY_ONE_ACTIVE_RIDE'),
    seed: text('DRAY_SEED'),
    now: text('DRAY_NOW'),
    yes: flag('DRAY_YES'),
    noInput: flag('DRAY_NO_INPUT'),
    debug: flag('DRAY_DEBUG'),
    // A terminal without cursor control gets the line-by-line output of screen readers.
    accessible: flag('DRAY_ACCESSIBLE') ?? (env['TERM'] === 'dumb' || undefined),
    noKeyring: flag('DRAY_NO_KEYRING'),
  }
}

/** Checks the characters of a token, which must fit into a header. The error never shows the token. */
function checkToken(token: string | undefined): string | undefined {
  if (token === undefined || isToken(token)) return token
  throw new AppError(
    'usage',
    'DRAY_TOKEN has characters that a token cannot have, such as spaces or line breaks.',
  )
}

/** Returns whether the text can be a bearer token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text)
}
