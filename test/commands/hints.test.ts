/** Each command that dray prints as the next step runs as printed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArgs } from '../../src/cli/parse.ts'
import { parseCommandRoute } from '../../src/cli/route.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { UNKNOWN } from '../support/examples.ts'
import { makeHome } from '../support/home.ts'
import { faultOf, hintsIn, runLine } from '../support/printed-hints.ts'
import { splitCommandLine } from '../support/program.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', TZ: 'UTC', NO_COLOR: '1' }
const PIZZA = 'dray food order "Forno Santa Rosa" --item "Margherita x2" --yes --max-total 60'
const PARCEL =
  'dray carrier create --to-name "Grace Okoro" --to-line1 "12 Friar Street" --to-city Reading --to-postal-code "RG1 1DB" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm --service next_day --yes'

/**
 * Lines of one person at one terminal, one after the other. `{ord}` is the latest id of that prefix that was printed,
 * `{zc}` the latest tracking number, `{cwd}` the folder.
 */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  'a meal from the store of the same account': [
    'dray food search pizza --near bank',
    'dray food menu "Forno Santa Rosa"',
    'dray food quote "Forno Santa Rosa" --item "Margherita x2" --fulfillment pickup',
    `${PIZZA} --fulfillment pickup`,
    'dray recent',
    'dray food list',
    'dray food show {ord}',
    'dray food track {ord}',
    'dray status',
    'dray business orders list',
    'dray business orders show {ord}',
    'dray business orders accept {ord}',
    'dray business orders prepare {ord}',
    'dray business orders ready {ord}',
    'dray business orders complete {ord}',
    'dray food show {ord}',
    `${PIZZA} --fulfillment pickup --new`,
    'dray business orders reject {ord} --reason too_busy --confirm {ord}',
    `${PIZZA} --fulfillment delivery --to "12 Finsbury Square, EC2A 1AN"`,
    'dray food cancel {ord} --yes --confirm {ord}',
    'dray business report',
    'dray business report month',
  ],
  'a busy day of a store': [
    'dray business hours show',
    'dray business pause 30m',
    'dray business resume',
    'dray business busy 15m',
  ],
  'events that are sent': [
    'dray webhooks create https://hooks.example.com/dray',
    'dray webhooks resend {whe} --test',
    'dray webhooks delete {whe} --yes --confirm {whe}',
  ],
  'a meal of a member': [
    `${PIZZA} --fulfillment pickup --as member`,
    'dray sandbox step {ord}',
    'dray food show {ord} --as member',
    'dray food track --as member',
    `${PIZZA} --fulfillment pickup --as member --payment-token tok_pending --new`,
    'dray sandbox settle {ord}',
    `${PIZZA} --fulfillment dine_in --table 4 --party 2 --as member --new`,
    'dray business orders accept {ord}',
    'dray sandbox check open {ord}',
    'dray sandbox check settle {ord}',
    'dray food order "Lime Street Noodles" --item "Summer Rolls x3" --fulfillment pickup --yes --max-total 60 --as member',
    'dray business orders list --as owner',
    'dray business orders accept {ord} --as owner',
    'dray business orders show {ord} --as owner',
  ],
  rides: [
    'dray rides options --near bank',
    'dray food search xyzzy --near bank --radius=500',
    'dray rides quote --from kings-cross --to bank',
    'dray rides request --from kings-cross --to bank --tier economy --yes --max-total 40 --as member',
    'dray rides list --as member',
    'dray rides show {rid} --as member',
    'dray rides track {rid} --as member',
    'dray sandbox step {rid}',
    'dray share {rid} --as member',
    'dray rides cancel {rid} --yes --as member --confirm {rid}',
    'dray rides request --from kings-cross --to bank --tier economy --yes --max-total 40 --as member --new --scenario driver_late;minutes=25',
    'dray sandbox clock advance 2h',
    'dray rides problem {rid} --reason late --as member',
    'dray recent',
  ],
  'a delivery': [
    'dray delivery quote --from soho --to bank --what Keys',
    'dray delivery request --from soho --to bank --what Keys --from-name "Ana Moreau" --to-name "Ravi Shah" --to-phone +447700900123 --from-phone +447700900124 --yes --max-total 20 --as member',
    'dray delivery show {dlv} --as member',
    'dray delivery track --as member',
    'dray sandbox step {dlv}',
    'dray sandbox clock advance 3h',
    'dray delivery show {dlv} --as member',
    'dray delivery track {dlv} --as member',
    'dray delivery request --from soho --to bank --what Keys --from-name "Ana Moreau" --to-name "Ravi Shah" --to-phone +447700900123 --from-phone +447700900124 --yes --max-total 20 --as member --new --scenario courier_late;minutes=25',
    'dray sandbox clock advance 3h',
    'dray delivery problem {dlv} --reason late --as member',
  ],
  parcels: [
    'dray carrier coverage --postal-code "RG1 1AA" --country GB',
    'dray carrier rates --to-postal-code "RG1 1AA" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm',
    'dray carrier hubs',
    'dray carrier list',
    `${PARCEL} --as shipper`,
    'dray carrier list --as shipper',
    'dray carrier show {zc} --as shipper',
    'dray carrier events {zc} --as shipper',
    'dray carrier redirect {zc} --safe-place Porch --as shipper',
    'dray carrier track {zc} --as shipper',
    'dray carrier label {zc} --as shipper --out label.pdf',
    'dray carrier handover --as shipper --hub LON1',
    'dray sandbox step {zc}',
    'dray sandbox scan {zc} collected',
    'dray carrier report --as shipper',
    'dray carrier report month --as shipper',
    'dray status --as shipper',
    'dray sandbox clock advance 4d',
    'dray carrier show {zc} --as shipper',
    'dray carrier track {zc} --as shipper',
    `${PARCEL} --as shipper --new`,
    'dray carrier cancel {zc} --as shipper --confirm {zc}',
    'dray carrier template parcels.csv',
    'dray carrier upload parcels.example.csv --dry-run --as shipper',
    'dray carrier upload parcels.example.csv --yes --as shipper',
    'dray carrier upload parcels.example.csv --yes --as shipper',
    'dray carrier list --batch {bat} --as shipper',
    'dray recent --as shipper',
  ],
  'a service': [
    'dray services providers --near shoreditch --category cleaning',
    'dray services slots "Bright Corner" --service "Deep clean"',
    'dray services quote "Bright Corner" --service "Deep clean" --to shoreditch',
    'dray services book "Bright Corner" --service "Deep clean" --to shoreditch --window "tomorrow 09:00/tomorrow 13:00" --name Ana --phone +447700900123 --yes --max-total 400 --as member',
    'dray services show --as member',
    'dray services track --as member',
    'dray services book "Bright Corner" --service "Deep clean" --to shoreditch --at "2026-11-25 09:00" --name Ana --phone +447700900123 --yes --max-total 400 --as member --new',
    'dray services move {bkg} --at "2026-11-26 09:00" --as member',
    'dray services cancel {bkg} --as member --confirm {bkg}',
    'dray services book "Bright Corner" --service "Deep clean" --to shoreditch --at "2026-11-25 09:00" --name Ana --phone +447700900123 --yes --max-total 400 --as member --new --scenario provider_no_show',
    'dray sandbox clock advance 6d',
    'dray services problem {bkg} --reason provider_no_show --as member',
  ],
  'a task': [
    'dray tasks types',
    'dray tasks quote shelf_audit --to spitalfields --require store_name=Goosefoot --require products=Milk,Bread',
    'dray tasks create shelf_audit --to spitalfields --require store_name=Goosefoot --require products=Milk,Bread --yes --max-total 25 --as member',
    'dray tasks show {tsk} --as member',
    'dray tasks track {tsk} --as member',
    'dray sandbox step {tsk}',
    'dray sandbox clock advance 3h',
    'dray tasks show {tsk} --as member',
    'dray tasks evidence --as member',
    'dray tasks create shelf_audit --to spitalfields --require store_name=Goosefoot --require products=Milk,Bread --yes --max-total 25 --new',
    'dray tasks cancel {tsk} --confirm {tsk}',
  ],
  'a menu': [
    'dray business catalog list',
    'dray business catalog create --name "Sophie’s \'hot\' soup" --category Soups --price 6.50',
    'dray business catalog update {itm} --price 6.90',
    'dray business catalog history {itm}',
    'dray business catalog undo {itm}',
    'dray business catalog available {itm} no --reason sold_out',
    'dray business catalog delete {itm} --confirm {itm}',
    'dray business catalog export menu.csv',
    'dray business catalog import menu.csv --dry-run',
    'dray business catalog template items.csv',
    'dray business catalog import items.example.csv --yes',
    'dray business catalog create --name Cider --category Drinks --price 6.50 --as chain --merchant "Goosefoot Grocer Clerkenwell"',
    'dray business catalog update {itm} --price 6.90 --as chain',
    'dray business catalog available {itm} no --as chain',
    'dray business catalog delete {itm} --confirm {itm} --as chain',
    'dray business report --as chain --merchant "goosefoot clerkenwell"',
  ],
  'the sandbox': [
    'dray sandbox status',
    'dray sandbox clock show',
    'dray sandbox clock advance 1h',
    'dray sandbox clock freeze',
    'dray sandbox clock set --mode scaled --factor 150',
    'dray sandbox clock set --mode frozen',
    'dray sandbox account list',
    'dray sandbox account add books --name "Strand Books" --carrier',
    'dray sandbox account membership guest active',
    'dray sandbox account wallet member',
    'dray sandbox account token member',
    'dray sandbox account client shipper',
    'dray sandbox step member',
    'dray sandbox supply scarce',
    'dray sandbox supply',
    'dray sandbox fault add --latency 1ms',
    'dray sandbox fault clear',
    'dray sandbox events',
    'dray sandbox log',
    'dray sandbox snapshot save "before lunch"',
    'dray sandbox snapshot save before',
    'dray sandbox snapshot list',
    'dray sandbox snapshot load before --confirm sandbox',
    'dray sandbox snapshot load before --confirm before',
    "dray sandbox backup 'my world.dray'",
    'dray sandbox restore \'my world.dray\' --confirm "my world.dray"',
    "dray sandbox restore 'my world.dray' --yes --confirm restore",
    'dray sandbox reset --confirm sandbox',
    'dray sandbox reset --yes --confirm reset',
  ],
  settings: [
    'dray whoami',
    'dray profile add shop --account owner',
    'dray profile use shop',
    'dray profile show',
    'dray profile show --explain',
    'dray profile list',
    'dray profile bind shop',
    'dray profile remove shop --confirm shop',
    'dray login --sandbox --account shipper',
    'dray whoami',
    'dray logout',
    'dray status',
    'dray recent',
    'dray pending list',
    'dray approve',
    'dray doctor',
  ],
}

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

test.each(Object.entries({ ...STORIES, ...REFUSED }))(
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

/** Keeps the latest ids of a text by their prefixes. */
function recordLatestIds(known: Record<string, string>, text: string): void {
  for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g)) known[prefix] = id
  for (const [number] of text.matchAll(/\bZC\d{9}GB\b/g)) known['zc'] = number
}

test('the stories above print the next step of every operation that has one', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()))
  const unseen = commands.flatMap(({ words, operation }) => {
    const next = operation?.next?.replace(/ .?\{.*$/, '')
    return next === undefined || printed.some((command) => command.startsWith(next))
      ? []
      : [`${words}: ${next}`]
  })
  expect(unseen, 'run a line in a story of STORIES above that prints this next step').toEqual([])
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
