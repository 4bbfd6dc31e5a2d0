import { type CommandSpec, DECLARED_FLAGS, type Flag } from './command.ts'

/** The global flags, before or after the words of a command. Some of them only some commands accept. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { flag: 'json', kind: 'boolean', description: 'one JSON document on stdout; no questions' },
  {
    flag: 'output',
    kind: 'enum',
    choices: ['table', 'json', 'ndjson', 'csv', 'yaml'],
    description: 'form of the result',
  },
  { flag: 'fields', kind: 'text', value: 'a,b.c', description: 'only these fields; `help` lists all' },
  { flag: 'query', kind: 'text', value: 'JMESPATH', description: 'reshape the result' },
  { flag: 'profile', kind: 'text', value: 'NAME', description: 'use this profile' },
  {
    flag: 'base-url',
    kind: 'text',
    value: 'URL',
    description: 'talk to a service instead of the embedded sandbox',
  },
  { flag: 'store', kind: 'text', value: 'PATH|URL', description: 'embedded store: a file or postgres://…' },
  { flag: 'as', kind: 'text', value: 'ACCOUNT', description: 'sandbox account for this command' },
  { flag: 'scenario', kind: 'text', value: 'NAME', description: 'sandbox scenario of what is created' },
  { flag: 'limit', kind: 'integer', value: 'N', description: 'rows per page, 1 to 100' },
  { flag: 'cursor', kind: 'text', value: 'CURSOR', description: 'continue a list after a page' },
  { flag: 'all', kind: 'boolean', description: 'every page of a list' },
  { flag: 'yes', kind: 'boolean', short: 'y', description: 'answer the confirmation with yes' },
  {
    flag: 'confirm',
    kind: 'text',
    value: 'NAME',
    repeat: true,
    description: 'confirm a protected profile or a destructive command by name; can be repeated',
  },
  { flag: 'no-input', kind: 'boolean', description: 'ask nothing; fail if a value is missing' },
  { flag: 'dry-run', kind: 'boolean', description: 'check and price; change nothing' },
  {
    flag: 'idempotency-key',
    kind: 'text',
    value: 'KEY',
    description: 'idempotency key; the same key is never carried out twice',
  },
  {
    flag: 'new',
    kind: 'boolean',
    description: 'start a new call, even if the same command was interrupted before its response',
  },
  {
    flag: 'record',
    kind: 'text',
    value: 'FILE',
    fileAccess: 'write',
    description: 'record the calls in a scenario file for `dray scenario run`',
  },
  { flag: 'timeout', kind: 'text', value: '30s', description: 'give up after this long' },
  {
    flag: 'wait',
    kind: 'boolean',
    description: 'wait until it ends: exit 0 for success, 7 for failure, 8 at the --timeout',
  },
  { flag: 'quiet', kind: 'boolean', short: 'q', description: 'no notices on stderr' },
  { flag: 'verbose', kind: 'boolean', short: 'v', description: 'say more on stderr' },
  { flag: 'debug', kind: 'boolean', description: 'show calls, times and request IDs on stderr' },
  { flag: 'color', kind: 'enum', choices: ['auto', 'always', 'never'], description: 'colour' },
  {
    flag: 'no-pager',
    kind: 'boolean',
    description: 'print long output directly, not in PAGER',
  },
  {
    flag: 'accessible',
    kind: 'boolean',
    description: 'plain questions, no redraw, no glyphs; also with TERM=dumb',
  },
]

const DECLARED: ReadonlySet<string> = new Set(DECLARED_FLAGS)

/** The global flags that every command accepts. */
export const COMMON_FLAGS: readonly Flag[] = GLOBAL_FLAGS.filter(({ flag }) => !DECLARED.has(flag))

/** Returns the global flags that a command accepts: the common ones, and those that it declares. */
export function globalFlagsOf({ flags, takes }: Pick<CommandSpec, 'flags' | 'takes'>): Flag[] {
  const own = new Set(flags.map(({ flag }) => flag))
  const taken = new Set<string>(takes)
  return GLOBAL_FLAGS.filter(({ flag }) => !own.has(flag) && (!DECLARED.has(flag) || taken.has(flag)))
}

export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'yaml'

/** The given global flags; others are undefined or false. */
export type Globals = {
  json: boolean
  output: Format | undefined
  fields: string | undefined
  query: string | undefined
  profile: string | undefined
  baseUrl: string | undefined
  store: string | undefined
  as: string | undefined
  scenario: string | undefined
  limit: number | undefined
  cursor: string | undefined
  all: boolean
  yes: boolean
  confirm: readonly string[]
  noInput: boolean
  dryRun: boolean
  idempotencyKey: string | undefined
  new: boolean
  record: string | undefined
  timeout: string | undefined
  wait: boolean
  quiet: boolean
  verbose: boolean
  debug: boolean
  color: 'auto' | 'always' | 'never' | undefined
  accessible: boolean
  noPager: boolean
}
