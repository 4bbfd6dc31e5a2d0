/** The flags that filter log lines. */
import { AppError } from '../core/errors.ts'
import { STATUS_PATTERN } from '../core/log-line.ts'
import type { LogFilter } from '../core/log-line.ts'
import { findClosestWord } from '../core/nearest.ts'
import type { Flag, FlagValues } from './command.ts'

/** Returns the flags. Each description begins with `only`, such as "log only". */
export function makeLogFilterFlags(only: string) {
  return [
    {
      flag: 'operation',
      kind: 'text',
      field: 'operation',
      value: 'NAME',
      description: `${only} calls of this operation`,
    },
    {
      flag: 'status',
      kind: 'text',
      field: 'status',
      value: 'N|Nxx',
      description: `${only} with this HTTP status, or a status class such as 4xx`,
    },
    {
      flag: 'account',
      kind: 'text',
      field: 'account',
      value: 'ACCOUNT',
      description: `${only} of this account`,
    },
    {
      flag: 'failed',
      kind: 'boolean',
      field: 'failed',
      description: `${only} failed calls`,
    },
    {
      flag: 'slower',
      kind: 'integer',
      field: 'slower_ms',
      value: 'MS',
      description: `${only} calls that took at least this many milliseconds`,
    },
  ] as const satisfies readonly Flag[]
}

/** The log names of routes that are neither operations nor control calls. */
export const OTHER_NAMES: readonly string[] = [
  ...['device_authorization', 'token', 'revoke', 'introspect', 'authorize'].map((name) => `oauth:${name}`),
  'metrics',
  'oauth-authorization-server',
  'oauth-protected-resource',
  'device_page',
  'check_device',
  'decide_device',
  'pages',
  'open_page',
  'create_page_link',
  'start_sign_in',
  'sign_in_page',
  'sign_out_page',
  'page_call',
  'page_control',
  'page_events',
  'event_stream',
  'page_file',
  'page_labels',
  'page_requests',
  'page_upload',
  'page_request',
  'share_link',
  'withdraw_links',
  'shared_page',
  'shared_state',
  'shared_label',
  'shared_calendar',
  'shared_picture',
  'shared_events',
  'sandbox:save_snapshot',
  'sandbox:load_snapshot',
  'media',
  'label',
  'mcp',
  'docs',
  'openapi.json',
  'sandbox/openapi.json',
  'llms.txt',
  'healthz',
  'readyz',
]

/** Returns the filter of the flags, without accounts. `names` are the possible operation names. Throws `usage`. */
export function readFilter(
  { operation, status, failed = false, slower }: FlagValues<ReturnType<typeof makeLogFilterFlags>>,
  names: readonly string[],
): Omit<LogFilter, 'accounts'> {
  if (operation !== undefined && !names.includes(operation)) throw unknownOperation(operation, names)
  if (status !== undefined && !new RegExp(STATUS_PATTERN).test(status))
    throw new AppError('usage', '--status must be an HTTP status such as 404, or a status class such as 4xx.')
  if (slower !== undefined && !/^\d{1,9}$/.test(slower))
    throw new AppError('usage', '--slower must be a number of milliseconds.')
  return {
    operation,
    status,
    failed,
    slower_ms: slower === undefined ? undefined : Number(slower),
  }
}

function unknownOperation(given: string, names: readonly string[]): AppError {
  const like = findClosestWord(given.slice(0, 60), names)
  const meant =
    like === undefined ? 'write it like --operation list_shipments.' : `did you mean --operation ${like}?`
  return new AppError(
    'usage',
    `--operation must be a logged operation, not ${JSON.stringify(given.slice(0, 40))}; ${meant}`,
  )
}
