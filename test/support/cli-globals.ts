import type { Globals } from '../../src/cli/globals.ts'

/** The global flags of a command line on which nothing stands. */
export const NO_FLAGS: Globals = {
  json: false,
  output: undefined,
  fields: undefined,
  query: undefined,
  profile: undefined,
  baseUrl: undefined,
  store: undefined,
  as: undefined,
  scenario: undefined,
  limit: undefined,
  cursor: undefined,
  all: false,
  yes: false,
  confirm: undefined,
  noInput: false,
  dryRun: false,
  idempotencyKey: undefined,
  timeout: undefined,
  wait: false,
  quiet: false,
  verbose: false,
  debug: false,
  color: undefined,
  accessible: false,
}
