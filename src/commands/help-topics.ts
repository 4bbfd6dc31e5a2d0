/** The texts of `dray help <topic>`. */
import { GLOBAL_FLAGS } from '../cli/globals.ts'
import { columns, flagLine } from '../cli/help.ts'
import { pairs, joinLines, wrapWords } from '../cli/topic-lines.ts'
import { ERRORS, EXIT, type ExitName } from '../core/errors.ts'
import { MANIFEST_FILE_KIND } from '../tabular/manifest/kind.ts'
import { MENU_FILE_KIND } from './business/menu/kind.ts'
import { columnHelp, skippedOrdersHelp, noValueHelp } from './help-files.ts'
import { SCENARIO_SCHEMA } from './scenario/schema.ts'

export const MEANING: Readonly<Record<ExitName, string>> = {
  ok: 'success; also an empty list, and a reader that closed the pipe',
  internal: 'unexpected error; or a failure after a change, which the error describes',
  usage: 'unknown flag, invalid or missing value, unreadable file; nothing was sent',
  not_confirmed: 'a confirmation was declined or impossible; nothing changed',
  auth: 'credential missing, expired or without the scope',
  not_found: 'not found, or not yours',
  rejected: 'The request was rejected; retrying will not help',
  conflict: 'a used quote, a price too high, a reused key; or --wait ended without success',
  pending: '--wait ran out before it had ended',
  partial: 'a batch in which some rows were done and some were not',
  rate_limited: 'too many requests, even after retries',
  unavailable: 'network error, timeout or server error, even after retries',
}

function agents(): string {
  return joinLines(
    'AGENTS',
    '`dray mcp` offers every operation to an MCP client as a tool;',
    '`dray mcp install PROGRAM` adds it to the client’s configuration.',
    '',
    'APPROVALS AND SPENDING LIMITS',
    ...pairs([
      ['a person', 'on a server, and with a protected profile, nothing is bought without approval'],
      ['--confirm', 'asks in the sandbox of this machine as well'],
      ['a price', 'on sale that moves by more than half is asked about everywhere'],
      ['--allow-confirm', 'never asks'],
      ['--max-spend', '50GBP/day, /hour or /week, or 50GBP in all; may be repeated'],
      ['--audit', 'log of each call, before and after'],
    ]),
    '',
    'An MCP client that can ask its user does. If it cannot, the agent is told to have',
    'you run `dray approve QUOTE`: it shows the price and approves that purchase once, at',
    'that price, until the quote expires. `dray approve` lists pending purchases.',
    '',
    'REPEATED CALLS',
    'A repeated call returns the first response and does nothing twice, also after a',
    'crash. It is a new call after a rejection, if something was undone in between, or',
    'with a new idempotency_key. A quote can be bought only once.',
    '',
    'FILES OF THE STATE FOLDER',
    ...pairs([
      ['mcp/audit.ndjson', 'one line before and after each call; no addresses, cards or arguments'],
      ['mcp/*.json', 'what agents did and spent, by profile and account'],
      ['approvals/', 'what waits for a person, and what one released'],
    ]),
  )
}

/** Returns every exit code with its errors, from the table of errors. */
function exitCodes(): string {
  const names = Object.keys(EXIT) as ExitName[]
  const number = (name: ExitName): string => String(EXIT[name]).padStart(4)
  const codesOf = (name: ExitName): string[] =>
    Object.entries(ERRORS)
      .filter(([, entry]) => entry.exit === name)
      .map(([code]) => code)
  return joinLines(
    'EXIT CODES',
    ...names.flatMap((name) => wrapWords(MEANING[name], `${number(name)}  ${name.padEnd(13)}  `)),
    ...wrapWords(
      'ended by SIGHUP, SIGINT or SIGTERM; a batch first prints how to resume',
      ' 129, 130, 143       ',
    ),
    '',
    'Retry automatically only after 10 and 11. A command that was interrupted before its',
    'response is remembered: run again, it repeats the same call, reports that, and does',
    'nothing twice; --new starts a new call. `dray pending list` lists pending calls.',
    'With your own --idempotency-key this works on every machine, for 24 hours.',
    '',
    'ERROR CODES',
    'With --json a failure prints one document: its "code" is one of these words,',
    'beside "exit_code", "retryable", "detail" and "errors".',
    '',
    ...names.flatMap((name) =>
      codesOf(name).length === 0 ? [] : wrapWords(codesOf(name).join(', '), `${number(name)}  `),
    ),
  )
}

function environment(): string {
  return joinLines(
    'ENVIRONMENT',
    'A flag goes before a variable, a variable before .dray.json, that before the',
    'profile. `dray profile show --explain` tells where each setting came from.',
    '',
    ...pairs([
      ['DRAY_PROFILE', 'the profile to use'],
      ['DRAY_BASE_URL', 'URL of a server, https, or http on this machine'],
      ['DRAY_TOKEN', 'its token; sent only to DRAY_BASE_URL or --base-url, never used with a profile'],
      ['DRAY_STORE', 'embedded store instead: a file or postgres://…'],
      ['DRAY_HOME', 'folder for configuration, data and state together'],
      ['DRAY_OUTPUT', 'table, json, ndjson, csv or yaml'],
      ['DRAY_NO_INPUT', '1: ask nothing; a missing value ends the command with 2. CI does the same'],
      ['DRAY_YES', '1: answer confirmations with yes; ignored on protected profiles'],
      ['DRAY_TIMEOUT', 'time limit: 30s, 5m'],
      ['DRAY_MAX_TOTAL', 'maximum total: 25.00'],
      ['DRAY_DEBUG', '1: calls, times and request ids on stderr, never a token'],
      ['DRAY_ACCESSIBLE', '1: plain questions, no redraw, no glyphs; TERM=dumb does the same'],
      ['DRAY_NO_KEYRING', '1: `dray login` stores logins in config.json and does not use the keyring'],
      ['DRAY_ONE_ACTIVE_RIDE', '1: the embedded service allows one active ride per account'],
      ['DRAY_SEED, DRAY_NOW', 'seed and start time of a store, when it is created'],
      ['HTTPS_PROXY, ALL_PROXY', 'proxy for servers elsewhere: http://proxy:3128, proxy:3128'],
      ['NO_PROXY', 'servers without a proxy: .example.com, 192.0.2.0/24, 2001:db8::7, *'],
    ]),
    'Lower-case names take precedence, HTTP_PROXY is last; this machine needs no proxy.',
    '',
    'Also honoured: NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM, COLUMNS,',
    'CI, BROWSER, PAGER, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME. BROWSER is',
    'one program, started without a shell.',
    'Switches take 1 or 0 (true, false, yes, no, on, off); an empty variable counts as',
    'unset. Tokens are never flags: use --token-stdin or --token-file.',
  )
}

function formatting(): string {
  return joinLines(
    'FORMATTING',
    'The result goes to stdout, and only the result: questions, progress, notices',
    'and warnings go to stderr.',
    '',
    ...pairs([
      ['--output table', 'for people; piped, it has tabs instead of borders and full values'],
      ['--json', 'one JSON document, for success and for failure; asks nothing'],
      ['--output ndjson', 'one JSON object per line'],
      ['--output csv, yaml', 'the same rows in other clothes'],
      ['--fields a,b.c', 'only these fields, in this order; --fields help lists all'],
      ['--query EXPRESSION', 'reshape with JMESPath: --query "data[].tracking_number"'],
      ['--quiet', 'no notices on stderr'],
      ['--color WHEN', 'auto, always or never'],
    ]),
    '',
    'JSON is what the service sends: snake_case, money in minor units (650 is £6.50),',
    'times in UTC. A list is {"data": [...], "has_more": ..., "next_cursor": ...}; a',
    'failure is a problem document (RFC 9457) with "exit_code" added.',
    '',
    'EXAMPLES',
    '  $ dray carrier list --json | jq -r ".data[].tracking_number"',
    '  $ dray carrier list --all --output csv > parcels.csv',
    '  $ dray carrier list --fields tracking_number,status',
  )
}

function profiles(): string {
  return joinLines(
    'PROFILES',
    'A profile is a named set of settings: the server or store, the account and',
    'the output format. Without one, dray uses the profile "default": an embedded',
    'sandbox on this machine, as the account with all permissions.',
    '',
    ...pairs([
      ['dray profile list', 'list profiles and show which is in use'],
      ['dray profile add NAME', 'add one: --base-url URL, --store PATH, --account NAME'],
      ['dray login --profile NAME', 'log in: approve it in a browser with a code, or give a token'],
      ['dray logout --profile NAME', 'log out, on the server and here'],
      ['dray profile use NAME', 'use it by default'],
      ['dray profile bind NAME', 'use it in this folder and its subfolders: writes .dray.json'],
      ['--profile NAME', 'use it for one command; DRAY_PROFILE for a shell'],
      ['dray profile show --explain', 'every setting in force and where it came from'],
    ]),
    '',
    'Settings are taken from flags, then the environment, then the nearest .dray.json',
    'upwards, then the profile. A .dray.json may name a profile, output and color',
    'and nothing else, so that a cloned repository cannot redirect a token.',
    '',
    'A profile of a server elsewhere is protected: a command that changes something there',
    'needs --confirm NAME, and DRAY_YES is ignored. `dray profile add NAME --update',
    '--no-protected` removes the protection.',
    '',
    'LOGGING IN',
    '  $ dray login --base-url http://127.0.0.1:8080 --profile local',
    'shows a code and opens a page where you approve it; on another machine, open the',
    'page there. Without a terminal it prints both and waits, no longer than --timeout;',
    'with --json they are one line of JSON on stderr, as the server sends them:',
    'user_code, verification_uri, verification_uri_complete, expires_in. --scope asks',
    'for less.',
    'Programs of a business or carrier account use --client-id with',
    '--client-secret-file; a token that you already have goes in with --token-stdin',
    'or --token-file.',
    'The login is stored in the system keyring (Keychain, Credential Manager,',
    'Secret Service) or, if there is none, in config.json; dray tells you first. It',
    'renews itself; `dray whoami` shows its account and where it is stored.',
    '',
    'Profiles are stored in config.json: ~/.config/dray on Linux,',
    '~/Library/Preferences/dray on macOS, %APPDATA%\\dray on Windows, or',
    '$DRAY_HOME/config. Only you can read it.',
  )
}

function sandbox(): string {
  return joinLines(
    'SANDBOX',
    'The first command creates a sandbox on this machine: stores with menus, couriers, a',
    'carrier with hubs and rates, accounts with different permissions, and a clock',
    'that starts at noon.',
    'No real money is used and nothing leaves the machine: the test card tok_ok pays;',
    'other test cards are tok_pending, tok_declined and tok_store.',
    '',
    ...pairs([
      ['dray sandbox status', 'show the sandbox, its time and the next events'],
      ['dray sandbox clock advance 2d', 'advance the clock; orders and parcels progress'],
      ['dray sandbox clock freeze', 'stop the clock; advance still moves it'],
      ['dray sandbox supply scarce', 'few drivers, couriers and taskers; or normal, unlimited'],
      ['dray sandbox account list', 'list accounts; --as NAME runs one command as an account'],
      ['dray sandbox step ID', 'make the next thing happen to one parcel or order'],
      ['dray sandbox settle ORDER', 'let a pending card payment come in'],
      ['dray sandbox check settle ORDER', 'let the guests of a table pay'],
      ['dray sandbox scan NUMBER CODE', 'scan a parcel by hand; scan MANIFEST collects all on it'],
      ['dray sandbox events', 'list all events, oldest first'],
      ['dray sandbox snapshot save N', 'save the current state; load N restores it'],
      ['dray sandbox diff N', 'what changed since snapshot N'],
      ['dray sandbox log', 'the calls that its service handled'],
      ['dray scenario run FILE', 'run the steps of a file and check the results'],
      ['dray sandbox reset', 'start again with a new world'],
    ]),
    '',
    '--scenario NAME changes what happens to the resource that a command creates:',
    '  $ dray carrier upload examples/manifest.csv --scenario lost',
    '  $ dray carrier upload examples/manifest.csv --scenario "attempt_fails;times=2"',
    '',
    'The same seed, clock and commands give byte-identical output:',
    '  $ DRAY_HOME=/tmp/demo DRAY_SEED=7 dray sandbox status',
  )
}

function manifests(): string {
  return joinLines(
    'MANIFESTS',
    '`dray carrier upload` reads CSV from any spreadsheet, and the order exports of',
    'Shopify, ShipStation, Click & Drop, WooCommerce, Squarespace, BigCommerce, Etsy and',
    'Amazon as they are. Title rows above the header are skipped and listed. Rows have',
    'the numbers of the spreadsheet. `template` writes a file to start from.',
    '',
    ...columnHelp(MANIFEST_FILE_KIND),
    '',
    'First and last name in two columns are joined; so are a street and a house number',
    'in two columns. --map-only shows how headers map to columns; --map column=Header',
    'sets one.',
    '',
    'UNREAD COLUMNS',
    'A column that rows fill and nothing reads, such as Signed for or To pay, is asked',
    'about, unless it is bookkeeping: dates, sums, items and codes of orders. A script',
    'gets exit code 2 and names it: --ignore HEADER sends without it.',
    '',
    ...skippedOrdersHelp(),
    ...workbooks('parcels'),
    ...noValueHelp('a reference'),
    'NUMBERS',
    'Weights and dimensions have their unit in the header, the cell or a separate column:',
    'Weight (kg), 1.2kg, 30x20x10cm; without one they are grams and millimetres. Pounds',
    'and ounces add up. Decimals have a point or a comma; beside decimal commas a point',
    'groups thousands. Amounts are in major units: 8.50, £8.50. Yes and no are',
    'understood in the same languages as headers. The cells of a column decide what',
    '01/12/2026 means; where none does, it is asked, or --date-order day|month says it.',
  )
}

/** Returns what is read of a workbook. */
function workbooks(rows: 'parcels' | 'items'): string[] {
  return [
    'WORKBOOKS',
    'Of an Excel workbook (.xlsx) one sheet is read: the one that --sheet names, or the',
    `only one that can hold ${rows}. Numbers, dates and references are read as the`,
    'spreadsheet shows them, long numbers with every digit, and weights, sizes, taxes and',
    'counts as the cell holds them; a formula is read as its value; the value of merged',
    'cells applies to each of their rows, with a notice. A money cell that shows a',
    'different amount than it contains, such as £4 for 3.60, is rejected. Hidden rows and',
    'sheets are skipped, rows with a notice; hidden columns are read, with a notice.',
    'Results and errors are written as CSV.',
    '',
  ]
}

function menus(): string {
  return joinLines(
    'MENUS',
    '`dray business catalog import` reads CSV with a header, JSON, and the product',
    'exports of Square, Shopify, WooCommerce, Lightspeed and Clover as they are. Title',
    'rows are skipped and listed. By default it only adds: items on the menu keep all',
    'values, including the price. With --update they take the values of the file, except',
    'for empty cells. `template` writes a file to start from, `export` writes a file with',
    'the whole menu.',
    '',
    ...columnHelp(MENU_FILE_KIND),
    '',
    ...workbooks('items'),
    ...noValueHelp('external_ref, sku, barcode or supplier_id'),
    'AMOUNTS',
    'They are in major units: 8.50, £8.50. A tax is 20, 20% or 0.2. Words of',
    'dietary and allergens are separated by | or ;.',
    '',
    'MODIFIERS',
    'In one cell: the group with its minimum and maximum selections (* means no',
    'maximum), then its modifiers with their price changes; * marks a default, and',
    String.raw`a backslash escapes any of ;:|=[]*\:`,
    '  Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80 | Bacon=1.20',
    'Or in separate rows below the item, without an item name: consecutive',
    'rows of one modifier_group are one group, with its limits in the first row.',
  )
}

function scenarios(): string {
  const { $schema: _, steps, ...head } = SCENARIO_SCHEMA.properties
  const { expect, ...step } = steps.items.properties
  return joinLines(
    'SCENARIOS',
    'A scenario is a YAML or JSON file: steps that call operations and advance the clock,',
    'and their expected results. `dray scenario run FILE --ephemeral` runs it in a',
    'temporary sandbox; `--record FILE`, with any command, records one from what you do',
    'by hand. Calls that only read are left out, unless a later step refers to them.',
    '',
    'THE FILE',
    ...members(head),
    '  steps (required): one after the other, each with one of call, control, advance,',
    '  advance_to, include, for_each',
    '',
    'A STEP',
    ...members(step),
    '',
    'EXPECT, IN A STEP',
    ...members(expect.properties),
    '',
    'REFERENCES',
    ...pairs([
      ['${id.field}', 'response of the step with that ID: ${order.items[0].item_id}'],
      ['${var.name}', 'a variable; --set name=value gives it another value'],
      ['${row.name}', 'a column, in the steps of for_each'],
      ['${id.step.field}', 'response of a step of the included file'],
      ['${now+2h}', 'time two hours after the service clock; ${now} for the current time'],
      ['$${', 'the characters ${ themselves'],
    ]),
    '',
    'EXAMPLE',
    '  name: A parcel to Reading tomorrow',
    '  at: 2026-11-20T09:00:00Z',
    '  as: shipper',
    '  steps:',
    '    - id: hubs',
    '      call: list_hubs',
    '    - advance: 1d',
    '    - name: Shipped from the first hub',
    '      call: check_coverage',
    '      input: { postal_code: RG1 1DB, country_code: GB }',
    '      expect: { fields: { deliverable: true } }',
    '',
    'examples/scenarios has more. `dray scenario schema` prints the JSON Schema, by which',
    'editors check and complete these files.',
  )
}

/** Returns a line for each field of an object of the scenario schema. */
function members(properties: Readonly<Record<string, { readonly description?: string }>>): string[] {
  return pairs(
    Object.entries(properties).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[name, description] as const],
    ),
  )
}

function flags(): string {
  return joinLines(
    'GLOBAL FLAGS',
    'Use global flags before or after the command. A command rejects those that',
    'its help does not list.',
    '',
    ...columns(GLOBAL_FLAGS.map(flagLine)),
  )
}

/** The text of each topic, by the word after `dray help`. */
export const TOPICS: Readonly<Record<string, () => string>> = {
  agents,
  'exit-codes': exitCodes,
  environment,
  flags,
  formatting,
  manifests,
  menus,
  profiles,
  sandbox,
  scenarios,
}
