/** Each command that dray prints as the next step runs as printed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArgs } from '../../src/cli/parse.ts'
import { parseCommandRoute } from '../../src/cli/route.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { COMMAND_STORIES, PARCEL, PIZZA, recordLatestIds } from '../support/command-stories.ts'
import { UNKNOWN } from '../support/examples.ts'
import { makeHome } from '../support/home.ts'
import { faultOf, hintsIn, runLine } from '../support/printed-hints.ts'
import { splitCommandLine } from '../support/program.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', TZ: 'UTC', NO_COLOR: '1' }
/** Lines that end with an error, or find nothing: each names what to do. Those that begin with `|` run in a script. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'a closed store': [
    'dray sandbox clock set 2026-11-21T03:00:00Z',
    `${PIZZA} --fulfillment pickup --as member`,
    `| ${PIZZA} --fulfillment pickup --as member`,
    'dray food menu',
    'dray food order',
  ],
  'what is not there': [
    `dray food show ${UNKNOWN['order_id']} --as member`,
    `dray food show ${UNKNOWN['order_id']} --as shipper`,
    `dray rides show ${UNKNOWN['ride_id']} --as member`,
    `dray tasks show ${UNKNOWN['task_id']} --as member`,
    `dray delivery show ${UNKNOWN['delivery_id']} --as member`,
    `dray services show ${UNKNOWN['booking_id']} --as member`,
    `dray carrier show ${UNKNOWN['tracking_number']} --as shipper`,
    `dray business orders show ${UNKNOWN['order_id']} --as owner`,
    `dray business catalog update ${UNKNOWN['item_id']} --price 3 --as owner`,
    `dray food menu ${UNKNOWN['merchant_id']}`,
    'dray food menu Nowhere',
    'dray food order "Forno Santa Rosa" --item Pizzza --fulfillment pickup --yes --max-total 30',
    'dray food show',
    'dray food cancel 7K2M',
    'dray rides track',
    'dray rides cancel last',
    'dray delivery track',
    'dray services show',
    'dray tasks track',
    'dray tasks evidence',
    'dray carrier show',
    '| dray carrier show --as shipper',
    '| dray carrier cancel --as shipper',
    '| dray business orders accept --as owner',
    'dray carrier track NOPE',
    'dray carrier track --batch bat_01m7vkystgf7vtyybg4s0p9p1s',
    'dray carrier label',
    'dray carrier handover --hub NOPE',
    'dray business orders accept 7K2M',
    'dray business orders list --active',
    'dray business catalog history Nothing',
    'dray business catalog history',
    'dray business catalog undo',
    'dray business catalog undo Margherita',
    'dray business catalog undo Margherita --to x',
    'dray business catalog update Bread --price 1 --as chain',
    'dray business catalog list --as chain --merchant Nowhere',
    '| dray business catalog list --as chain',
    '| dray business orders watch --as chain',
    '| dray business report --as chain',
    'dray services providers --near bank --category plumbing nobody',
    'dray services book Nobody --service x',
    'dray services slots "Bright Corner" --service x',
    'dray tasks quote nothing --to bank',
    'dray sandbox step nothing',
    `dray sandbox step ${UNKNOWN['order_id']}`,
    `dray sandbox step ${UNKNOWN['tracking_number']}`,
    `dray sandbox scan ${UNKNOWN['tracking_number']} collected`,
    'dray sandbox check open 7K2M',
    'dray sandbox snapshot list',
    'dray sandbox snapshot load nothing',
    'dray sandbox account membership nobody active',
    'dray sandbox account token nobody',
    'dray sandbox log --status 500',
    'dray sandbox events --type nothing',
    'dray whoami --as nobody',
    'dray food list --as nobody',
    'dray food list --profile nobody',
    'dray profile use nobody',
    'dray profile remove nobody',
    'dray login --sandbox --account nobody',
    'dray pending show nothing',
    'dray pending resolve',
    'dray approve nothing',
    'dray approve',
    'dray share',
    `dray share ${UNKNOWN['order_id']}`,
    'dray share 7K2M',
    'dray open nothing',
    'dray open kitchen --as member',
    'dray help nothing',
    'dray foood',
    'dray food',
    'dray orders',
    'dray food foo',
    'dray api',
    'dray api nothing',
    'dray completion nothing',
    'dray start nothing',
    'dray scenario run nothing.yaml',
    'dray mcp install nothing',
    'dray sandbox approve',
    'dray recent',
    'dray carrier list --yess',
    'dray carrier list --wait',
    'dray food list --as shipper',
    '| dray food list --as shipper',
    'dray account membership --as owner',
  ],
  'an order in another state': [
    `${PIZZA} --fulfillment pickup --as member`,
    'dray business orders ready {ord}',
    'dray business orders complete {ord}',
    'dray sandbox check open {ord}',
    'dray sandbox check settle {ord}',
    'dray sandbox settle {ord}',
    'dray business orders accept {ord}',
    'dray business orders accept {ord}',
    'dray food cancel {ord} --as member --confirm {ord}',
    'dray business orders complete {ord}',
    'dray food cancel {ord} --as member --confirm {ord}',
    'dray sandbox step {ord}',
    `${PIZZA} --fulfillment dine_in --table 4 --party 2 --as member --new`,
    'dray sandbox check open {ord}',
    'dray sandbox check settle {ord}',
    'dray business orders accept {ord}',
    'dray sandbox check settle {ord}',
    'dray sandbox check open {ord}',
    'dray sandbox check open {ord}',
    'dray business orders complete {ord}',
    'dray sandbox check settle {ord}',
    'dray sandbox check settle {ord}',
  ],
  'what is not confirmed in a script': [
    `| ${PARCEL.replace(' --yes', '')} --as shipper`,
    '| dray food order "Forno Santa Rosa" --item Margherita --fulfillment pickup --as member',
    '| dray rides request --from kings-cross --to bank --tier economy --as member',
    '| dray sandbox reset',
    '| dray sandbox snapshot save before',
    '| dray sandbox snapshot load before',
    '| dray carrier template parcels.csv',
    '| dray carrier upload parcels.example.csv --as shipper',
    '| dray business catalog update Margherita --price 30',
    '| dray business catalog delete Margherita',
    '| dray business catalog create --name Tea --category Drinks --price 0',
    '| dray profile add shop --account owner',
    '| dray profile remove shop',
  ],
  'another store, and spaces in names': [
    "dray food list --store '{cwd}/my world.db' --as member",
    `${PIZZA} --fulfillment pickup --store '{cwd}/my world.db' --as member`,
    "dray food track --store '{cwd}/my world.db' --as member",
    "dray sandbox step {ord} --store '{cwd}/my world.db'",
    "dray business orders accept 7K2M --store '{cwd}/my world.db' --as owner",
    "dray sandbox clock show --store '{cwd}/my world.db'",
    "dray doctor --store '{cwd}/my world.db'",
    'dray doctor --profile nobody',
    "dray open kitchen --store '{cwd}/my world.db' --as member",
    "dray sandbox snapshot save 'my snapshot'",
    'dray profile add shop --account owner',
    'dray business orders list --profile shop',
    'dray business orders accept 7K2M --profile shop',
    'dray business catalog create --name Tea --category Drinks --price 2.50 --profile shop',
  ],
}

const printed: string[] = []

test.each(Object.entries({ ...COMMAND_STORIES, ...REFUSED }))(
  'each next step of %s runs as printed',
  async (title, lines) => {
    using home = makeHome({ ...FROZEN })
    const known: Record<string, string> = { cwd: home.cwd }
    const faults: string[] = []
    const tried = new Set<string>()
    for (const template of lines) {
      const piped = template.startsWith('| ')
      const line = template
        .replace(/^\| /, '')
        .replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
      const { out, err } = await runLine(home, line, { piped })
      recordLatestIds(known, `${out}\n${err}`)
      for (const command of hintsIn(`${out}\n${err}`)) {
        printed.push(command)
        if (tried.has(command)) continue
        tried.add(command)
        const fault = await faultOf(home, { command, printedBy: line, piped })
        if (fault !== undefined) faults.push(`${title}: ${fault}`)
      }
    }
    expect(faults.join('\n\n')).toBe('')
  },
)

test('the stories print the next step of every operation that has one', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()))
  const unseen = commands.flatMap(({ words, operation }) => {
    const next = operation?.next?.replace(/ .?\{.*$/, '')
    return next === undefined || printed.some((command) => command.startsWith(next))
      ? []
      : [`${words}: ${next}`]
  })
  expect(unseen, 'run a line in a story of COMMAND_STORIES that prints this next step').toEqual([])
})

test('each command that a text or an example of the sources names is one, with flags that it takes', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()))
  const named = [...commands.flatMap(({ examples }) => examples), ...namedInSources()]
  const faults = await Promise.all([...new Set(named)].map(async (line) => [line, await faultOfForm(line)]))
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
})

/** Returns the commands in backticks of every source. The stories print those that hold a value. */
function namedInSources(): string[] {
  const root = join(import.meta.dirname, '../../src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('generated'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\\?`(dray [a-z][^`\\\n]*)\\?`/g)])
    .map(([, line = '']) => line)
    .filter((line) => !line.includes('${') && !line.includes("', "))
}

/** Returns why a command with placeholders is none; undefined for one that could run. */
async function faultOfForm(line: string): Promise<string | undefined> {
  const [, ...all] = splitCommandLine(line.replaceAll(/\{[\w.]+\}/g, 'x'))
  const end = all.findIndex((word) => ['|', '<', '>'].includes(word))
  const words = end === -1 ? all : all.slice(0, end)
  const route = parseCommandRoute(words)
  if (route.kind === 'unknown') return `there is no ${route.token}`
  if (route.kind === 'group' || route.words === 'api') return undefined
  const command = await COMMANDS[route.words]?.load()
  if (command === undefined) return `there is no ${route.words}`
  try {
    parseArgs(command, route.rest)
  } catch (error) {
    const { message } = error as Error
    return /^Unknown option|does not take|Too many/.test(message) && !/--help/.test(line)
      ? message
      : undefined
  }
  return undefined
}
