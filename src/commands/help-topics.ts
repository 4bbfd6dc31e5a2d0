/** The texts of `dray help <topic>`. */
import { GLOBAL_FLAGS } from '../cli/globals.ts'
import { columns, flagLine } from '../cli/help.ts'
import { pairs, text, wrap } from '../cli/topic-lines.ts'
import { ERRORS, EXIT, type ExitName } from '../core/errors.ts'
import { MANIFEST } from '../rows/manifest/kind.ts'
import { MENU } from './business/menu/kind.ts'
import { columnHelp, leftOutHelp, noValueHelp } from './help-files.ts'
import { SCENARIO_SCHEMA } from './scenario/schema.ts'

export const MEANING: Readonly<Record<ExitName, string>> = {
  ok: 'done as asked; an empty list too, and a reader that closed the pipe',
  internal: 'something unforeseen; or a failure after a change, which the error names',
  usage: 'unknown flag, bad value, something missing, unreadable file; nothing was sent',
  not_confirmed: 'a confirmation was declined or could not be asked; nothing changed',
  auth: 'no credential, an expired one, or one that lacks the scope',
  not_found: 'there is no such thing, or it is not yours',
  rejected: 'The request was rejected; retrying will not help',
  conflict: 'the state moved: a used quote, a price too high, a key reused; or --wait saw no success',
  pending: '--wait ran out before it had ended',
  partial: 'a batch in which some rows were done and some were not',
  rate_limited: 'too many requests, also after the retries',
  unavailable: 'network, timeout or a failure of the service, also after the retries',
}

function agents(): string {
  return text(
    'AGENTS',
    '`dray mcp` gives the program of an agent every operation as a tool;',
    '`dray mcp install PROGRAM` writes that into its file.',
    '',
    'WHAT STANDS BEFORE MONEY',
    ...pairs([
      ['a person', 'at a service, and with a protected profile, nothing is bought before one agreed'],
      ['--confirm', 'asks in the sandbox of this machine as well'],
      ['a price', 'on sale that moves by more than half is asked about everywhere'],
      ['--allow-confirm', 'asks nobody, nowhere'],
      ['--max-spend', '50GBP/day, /hour or /week, or 50GBP in all; may be repeated'],
      ['--audit', 'where each call is noted, before and after'],
    ]),
    '',
    'A program that can ask its user does. For one that cannot, the agent is told to have',
    'you run `dray approve QUOTE`: it shows the bill and releases that purchase once, at',
    'that price, until the quote expires. `dray approve` lists what waits.',
    '',
    'THE SAME CALL AGAIN',
    'gets its first answer and does nothing twice, also after a crash. It is a new call',
    'after a refusal, when something was taken back in between, or with an',
    'idempotency_key of its own. A quote is bought once, whatever is said.',
    '',
    'FILES OF THE STATE FOLDER',
    ...pairs([
      ['mcp/audit.ndjson', 'one line before and after each call; no address, card or argument'],
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
  return text(
    'EXIT CODES',
    ...names.flatMap((name) => wrap(MEANING[name], `${number(name)}  ${name.padEnd(13)}  `)),
    ...wrap(
      'ended by SIGHUP, SIGINT or SIGTERM; a batch first prints how to resume',
      ' 129, 130, 143       ',
    ),
    '',
    'Only 10 and 11 are worth repeating blindly. A command that was cut off before its',
    'answer is remembered: typed again it repeats that very call, says so, and does',
    'nothing twice; --new does it anew. `dray intents list` shows what is open. With',
    'an --idempotency-key of your own the same holds on every machine, for 24 hours.',
    '',
    'ERROR CODES',
    'With --json a failure prints one document: its "code" is one of these words,',
    'beside "exit_code", "retryable", "detail" and "errors".',
    '',
    ...names.flatMap((name) =>
      codesOf(name).length === 0 ? [] : wrap(codesOf(name).join(', '), `${number(name)}  `),
    ),
  )
}

function environment(): string {
  return text(
    'ENVIRONMENT',
    'A flag goes before a variable, a variable before .dray.json, that before the',
    'profile. `dray profile show --explain` tells where each setting came from.',
    '',
    ...pairs([
      ['DRAY_PROFILE', 'the profile to use'],
      ['DRAY_BASE_URL', 'address of a service, https or http on this machine'],
      ['DRAY_TOKEN', 'its token; goes only to DRAY_BASE_URL or --base-url, never to a profile'],
      ['DRAY_STORE', 'embedded store instead: a file or postgres://…'],
      ['DRAY_HOME', 'folder for configuration, data and state together'],
      ['DRAY_OUTPUT', 'table, json, ndjson, csv or yaml'],
      ['DRAY_NO_INPUT', '1: ask nothing; what is missing ends the command with 2. CI does the same'],
      ['DRAY_YES', '1: answer confirmations with yes; ignored on protected profiles'],
      ['DRAY_TIMEOUT', 'give up after this long: 30s, 5m'],
      ['DRAY_MAX_TOTAL', 'refuse any price above: 25.00'],
      ['DRAY_DEBUG', '1: calls, times and request ids on stderr, never a token'],
      ['DRAY_ACCESSIBLE', '1: plain questions, no redraw, no glyphs; TERM=dumb does the same'],
      ['DRAY_NO_KEYRING', '1: `dray login` keeps logins in config.json, the keyring is left alone'],
      ['DRAY_ROUTE_ENGINE', 'osrm=URL: an embedded service asks that server for distances and times'],
      ['DRAY_ONE_ACTIVE_RIDE', '1: an embedded service lets nobody have two rides at a time'],
      ['DRAY_SEED, DRAY_NOW', 'seed and first moment of a store, when it is made'],
      ['HTTPS_PROXY, ALL_PROXY', 'proxy to services elsewhere: http://proxy:3128, proxy:3128'],
      ['NO_PROXY', 'services without it: .example.com, 192.0.2.0/24, 2001:db8::7, *'],
    ]),
    'Small letters go first, HTTP_PROXY last; this machine is reached without a proxy.',
    '',
    'Also honoured: NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM, COLUMNS,',
    'CI, BROWSER, PAGER, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME. BROWSER is',
    'one program, started without a shell.',
    'Switches take 1 or 0 (true, false, yes, no, on, off); an empty variable is as',
    'good as none. Tokens are never flags: use --token-stdin or --token-file.',
  )
}

function formatting(): string {
  return text(
    'FORMATTING',
    'The result goes to stdout, and only the result: questions, progress, notices',
    'and warnings go to stderr.',
    '',
    ...pairs([
      ['--output table', 'for people; piped, it has tabs instead of borders and cuts nothing'],
      ['--json', 'exactly one JSON document, for success and for failure; asks nothing'],
      ['--output ndjson', 'one JSON object a line'],
      ['--output csv, yaml', 'the same rows in other clothes'],
      ['--fields a,b.c', 'only these fields, in this order; --fields help lists them'],
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
  return text(
    'PROFILES',
    'A profile is a named set of settings: which service or store, which account,',
    'how output looks. Without one, dray uses the profile "default": an embedded',
    'sandbox on this machine, as the account that may do everything.',
    '',
    ...pairs([
      ['dray profile list', 'what there is, and which one is in use'],
      ['dray profile add NAME', 'a new one: --base-url URL, --store PATH, --account NAME'],
      ['dray login --profile NAME', 'log in: approve it in a browser by a code, or give a token'],
      ['dray logout --profile NAME', 'end that login, at the service and here'],
      ['dray profile use NAME', 'use it from now on, everywhere'],
      ['dray profile bind NAME', 'use it in this folder and below: writes .dray.json'],
      ['--profile NAME', 'use it for one command; DRAY_PROFILE for a shell'],
      ['dray profile show --explain', 'every setting in force and where it came from'],
    ]),
    '',
    'Settings are taken from flags, then the environment, then the nearest .dray.json',
    'upwards, then the profile. A .dray.json may name a profile, output and color',
    'and nothing else, so that a cloned repository cannot redirect a token.',
    '',
    'A profile of a service elsewhere is protected: whatever changes something there',
    'needs --confirm NAME, and DRAY_YES is ignored. `dray profile add NAME --update',
    '--no-protected` lifts that.',
    '',
    'LOGGING IN',
    '  $ dray login --base-url http://127.0.0.1:8080 --profile local',
    'shows a code and opens a page where you approve it; on another machine, open the',
    'page there. Without a terminal it prints both and waits, no longer than --timeout;',
    'with --json they are one line of JSON on stderr, as a service sends them:',
    'user_code, verification_uri, verification_uri_complete, expires_in. --scope asks',
    'for less.',
    'Programs of a business or carrier account use --client-id with',
    '--client-secret-file; a token that you already have goes in with --token-stdin',
    'or --token-file.',
    'The login is kept in the keyring of the system (Keychain, Credential Manager,',
    'Secret Service), or, where there is none, in config.json; it is said before. It',
    'renews itself; `dray whoami` tells whose it is, and where it is kept.',
    '',
    'Profiles stand in config.json: ~/.config/dray on Linux, ~/Library/Preferences/dray',
    'on macOS, %APPDATA%\\dray on Windows, or $DRAY_HOME/config. Only you can read it.',
  )
}

function sandbox(): string {
  return text(
    'SANDBOX',
    'The first command makes a world on this machine: stores with menus, couriers, a',
    'carrier with hubs and rates, accounts with different rights, and a clock of its',
    'own that starts at noon.',
    'Nothing costs anything and nothing leaves the machine: a test card pays, tok_ok;',
    'tok_pending, tok_declined and tok_store are others.',
    '',
    ...pairs([
      ['dray sandbox status', 'which world, what time it is there, what is due next'],
      ['dray sandbox clock advance 2d', 'let time pass; orders and parcels get on meanwhile'],
      ['dray sandbox clock freeze', 'stop the clock; advance moves it on'],
      ['dray sandbox supply scarce', 'few drivers, couriers and taskers; normal, unlimited'],
      ['dray sandbox account list', 'who there is; --as NAME acts as one of them for a command'],
      ['dray sandbox step ID', 'make the next thing happen to one parcel or order'],
      ['dray sandbox settle ORDER', 'let a pending card payment come in'],
      ['dray sandbox check settle ORDER', 'let the guests of a table pay'],
      ['dray sandbox scan NUMBER CODE', 'scan a parcel by hand'],
      ['dray sandbox events', 'everything that happened, oldest first'],
      ['dray sandbox snapshot save N', 'keep it as it is now; load N brings it back'],
      ['dray sandbox log', 'the calls that its service handled'],
      ['dray scenario run FILE', 'steps from a file, and whether they come out as expected'],
      ['dray sandbox reset', 'start again with a new world'],
    ]),
    '',
    '--scenario NAME changes the fate of what a command creates:',
    '  $ dray carrier upload examples/manifest.csv --scenario lost',
    '  $ dray carrier upload examples/manifest.csv --scenario "attempt_fails;times=2"',
    '',
    'The same seed, the same clock and the same commands give the same bytes:',
    '  $ DRAY_HOME=/tmp/demo DRAY_SEED=7 dray sandbox status',
  )
}

function manifests(): string {
  return text(
    'MANIFESTS',
    '`dray carrier upload` reads CSV from any spreadsheet, and the order exports of',
    'Shopify, ShipStation, Click & Drop, WooCommerce, Squarespace, BigCommerce, Etsy and',
    'Amazon as they are. Titles above the header are skipped, and said. Rows have the',
    'numbers of the spreadsheet. `template` writes a file to start from.',
    '',
    ...columnHelp(MANIFEST),
    '',
    'A first and a last name in two columns are joined; so are a street and the number',
    'of the house. --map-only shows which header is which column; --map column=Header',
    'says it.',
    '',
    ...leftOutHelp(),
    ...workbooks('parcels'),
    ...noValueHelp('a reference'),
    'NUMBERS',
    'Weights and sizes have their unit in the header, the cell or a column beside:',
    'Weight (kg), 1.2kg, 30x20x10cm; without one they are grams and millimetres. Pounds',
    'and ounces add up. Decimals have a point or a comma; beside decimal commas a point',
    'groups thousands. Amounts are in major units: 8.50, £8.50. Yes and no are',
    'understood in the same languages as headers.',
  )
}

/** Returns what is read of a workbook. */
function workbooks(rows: 'parcels' | 'items'): string[] {
  return [
    'WORKBOOKS',
    'Of an Excel workbook (.xlsx) one sheet is read: the one that --sheet names, or the',
    `only one that can hold ${rows}. Numbers, dates and references are read as the`,
    'spreadsheet shows them, long numbers with every digit, and weights, sizes, taxes and',
    'counts as the cell holds them; a formula is read as its',
    'value; that of merged cells counts for each of their rows, which is said. A money',
    'cell that shows another amount than it holds, such as £4 of 3.60, is refused.',
    'Hidden rows and sheets are left out, and rows are said; hidden columns are read,',
    'and said. Results and errors are written as CSV.',
    '',
  ]
}

function menus(): string {
  return text(
    'MENUS',
    '`dray business catalog import` reads CSV with a header, JSON, and the product',
    'exports of Square, Shopify, Lightspeed and Clover as they are. Titles are skipped,',
    'and said. It only adds: what is on the menu already stays as it is, its price',
    'too. With --update it becomes as the file says, where a cell is not empty.',
    '`template` writes a file to start from, `export` one with everything that is on',
    'the menu.',
    '',
    ...columnHelp(MENU),
    '',
    ...workbooks('items'),
    ...noValueHelp('external_ref, sku, barcode or supplier_id'),
    'AMOUNTS',
    'They are in major units: 8.50, £8.50. A tax is 20, 20% or 0.2. Words of',
    'dietary and allergens stand between | or ;.',
    '',
    'MODIFIERS',
    'In one cell: the group with the least and the most that may be chosen (* is no',
    'limit), then its options with what they add to the price; * marks a default, and',
    String.raw`a backslash takes the meaning from any of ;:|=[]*\:`,
    '  Size[1-1]: *Regular=0 | Large=1.50; Extras[0-3]: Cheese=0.80 | Bacon=1.20',
    'Or in rows of their own below the item, with its name left empty: consecutive',
    'rows of one modifier_group are one group, with its limits in the first row.',
  )
}

function scenarios(): string {
  const { $schema: _, steps, ...head } = SCENARIO_SCHEMA.properties
  const { expect, ...step } = steps.items.properties
  return text(
    'SCENARIOS',
    'A scenario is a file in YAML or JSON: steps that call operations and let time pass,',
    'and what must come of them. `dray scenario run FILE --ephemeral` gives it a fresh',
    'sandbox; `--record FILE`, with any command, writes one from what is done by hand.',
    'What was only looked at is left out of it, unless a later step refers to it.',
    '',
    'THE FILE',
    ...members(head),
    '  steps (required): one after the other, each with one of call, control, advance,',
    '  advance_to',
    '',
    'A STEP',
    ...members(step),
    '',
    'EXPECT, IN A STEP',
    ...members(expect.properties),
    '',
    'REFERENCES',
    ...pairs([
      ['${id.field}', 'what the step of that id answered: ${order.items[0].item_id}'],
      ['${var.name}', 'a variable; --set name=value gives it another value'],
      ['${now+2h}', 'the instant two hours after the clock of the service; ${now} without a span'],
      ['$${', 'the characters ${ themselves'],
    ]),
    '',
    'EXAMPLE',
    '  name: Tomorrow a parcel can go to Reading',
    '  at: 2026-11-20T09:00:00Z',
    '  as: shipper',
    '  steps:',
    '    - id: hubs',
    '      call: list_hubs',
    '    - advance: 1d',
    '    - name: It leaves from the first hub',
    '      call: check_coverage',
    '      input: { postal_code: RG1 1DB, country_code: GB }',
    '      expect: { fields: { deliverable: true } }',
    '',
    'examples/scenarios has more; editors complete by its scenario.schema.json.',
  )
}

/** Returns a line for each member of an object of the scenario schema. */
function members(properties: Readonly<Record<string, { readonly description?: string }>>): string[] {
  return pairs(
    Object.entries(properties).flatMap(([name, { description }]) =>
      description === undefined ? [] : [[name, description] as const],
    ),
  )
}

function flags(): string {
  return text(
    'GLOBAL FLAGS',
    'They stand before or after the words of a command. A command refuses those that',
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
