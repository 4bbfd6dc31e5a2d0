/**
 * Tries every operation that spends, by every interface, against every guard: the services and tools of the built program,
 * and commands in this process. The table comes from the registry.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { purchasingOf } from '../../src/core/spending.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { TOOLSETS } from '../../src/generated/toolsets.ts'
import { EXAMPLES_TIME } from '../../src/server/docs/example.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import { toCaseFile } from '../support/cases.ts'
import { exampleInput } from '../support/example-input.ts'
import { runInline } from '../support/inline.ts'
import { openHttp, openStdio, serveMcp } from '../support/mcp-program.ts'
import type { McpClient } from '../support/mcp-program.ts'
import { makeRows } from '../support/parcel.ts'
import { builtProgram, readServerUrl, startDray } from '../support/program.ts'
import type { CommandResult, RunningProcess } from '../support/program.ts'

const DOORS = ['CLI', 'HTTP', 'MCP stdio', 'MCP HTTP'] as const
const GUARDS = ['limit', 'confirmation', 'audit', 'protected profile', 'scope'] as const
type Door = (typeof DOORS)[number]
type Guard = (typeof GUARDS)[number]

const operations = await Promise.all(NAMES.map(async (name) => (await load(name))?.operation as AnyOperation))
const spending = operations.filter(({ spends }) => spends !== undefined && spends.how !== 'nothing')
const buying = spending.filter((operation) => purchasingOf(operation) !== undefined)

/** The tools outside the core interface, too. */
const ALL_TOOLS = ['--toolsets', TOOLSETS.join(',')]

const home = mkdtempSync(join(tmpdir(), 'dray-spending-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: EXAMPLES_TIME, DRAY_SEED: '20261120' }
const servers: RunningProcess[] = []
let base: string
let everything: string
/** The purchases before: a return needs a parcel. */
let parcels: unknown
let bought: number
/** For each scope that allows spending, a token with every other scope. */
const without = new Map<string, string>()
/** One agent for each guard and interface, and the inputs of its calls. */
const agents = new Map<string, { agent: McpClient; inputs: Inputs }>()

type Inputs = ReadonlyMap<string, Record<string, unknown>>
type Caller = (operation: string, input: Record<string, unknown>) => Promise<unknown>

/** Returns the input of every purchase, from the example calls of the reference: reads and quotes are really called. */
async function prepare(call: Caller): Promise<Inputs> {
  const inputs = new Map<string, Record<string, unknown>>()
  const done: Record<string, unknown> = { create_shipments_batch: parcels }
  for (const operation of operations) {
    const { name } = operation
    const given = attempt(() => operation.example(done))
    // The operation needs an earlier purchase, which does not exist here.
    if (given === undefined) continue
    // A read without a tool is a part of other commands.
    if (isRead(operation)) done[name] = operation.toolset === null ? {} : await call(name, given)
    else inputs.set(name, name === 'correct_recipient' ? dearer(given) : given)
  }
  return inputs
}

/** A correction costs something where the parcel goes farther, at a price that is agreed to. */
function dearer(input: Record<string, unknown>): Record<string, unknown> {
  const { recipient } = input as { recipient: { address: object } }
  const address = { line1: '9 Dock Lane', city: 'St Helier', postal_code: 'JE2 3AB', country_code: 'JE' }
  const expected_total = { amount: 9999, currency: 'GBP' }
  return { ...input, recipient: { ...recipient, address }, expected_total }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const dray = (
  words: readonly string[],
  more: Record<string, string> = {},
  input = '',
): Promise<CommandResult> => runInline([...words, '--json'], { env: { ...env, ...more }, input })

/** Counts the events in the sandbox: every purchase adds some. */
async function countBought(): Promise<number> {
  const { data } = (await dray(['sandbox', 'events', '--limit', '100'])).json<{ data: unknown[] }>()
  return data.length
}

async function mint(scopes: readonly string[]): Promise<string> {
  const words = scopes.flatMap((scope) => ['--scope', scope])
  const ran = await dray(['sandbox', 'account', 'token', 'everything', ...words])
  return ran.json<{ token: string }>().token
}

const PROTECTED = { DRAY_PROFILE: 'guarded' }
/** The flags that start `dray mcp` with each guard. */
const STARTS: Readonly<Partial<Record<Guard, { words: string[]; more?: Record<string, string> }>>> = {
  limit: { words: ['--allow-confirm', '--max-spend', '0.01GBP/day'] },
  confirmation: { words: ['--confirm'] },
  audit: { words: ['--allow-confirm', '--audit', '/dev/full'] },
  'protected profile': { words: [], more: PROTECTED },
}

/** Returns the agent for a guard, started on first use. */
async function agentOf(guard: Guard, door: Door): Promise<{ agent: McpClient; inputs: Inputs }> {
  const key = `${guard} ${door}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const { words, more = {} } = STARTS[guard] ?? { words: [] }
  const agent =
    door === 'MCP stdio'
      ? await openStdio([...ALL_TOOLS, ...words], { ...env, ...more })
      : await openHttp(await serve(words, { ...env, ...more }), everything)
  // The examples know whole answers.
  const inputs = await prepare(
    async (operation, input) => (await agent.call(operation, { ...input, fields: 'all' })).value,
  )
  const made = { agent, inputs }
  agents.set(key, made)
  return made
}

async function serve(words: readonly string[], more: Record<string, string>): Promise<string> {
  const { url, server } = await serveMcp([...ALL_TOOLS, ...words], more)
  servers.push(server)
  return url
}

/** Returns the error code with which an agent is rejected. */
async function refusedAgent(operation: AnyOperation, guard: Guard, door: Door): Promise<unknown> {
  const { agent, inputs } = await agentOf(guard, door)
  const { problem } = await agent.call(operation.name, inputs.get(operation.name) ?? {})
  if (problem?.['code'] === 'approval_required')
    expect(problem['approve_command']).toMatch(/^dray approve (quo|apr)_\w+$/)
  return problem?.['code']
}

async function withoutTool({ scope, name }: AnyOperation, door: Door): Promise<unknown> {
  const key = `without ${scope} ${door}`
  const agent = agents.get(key)?.agent ?? (await openWithout(scope, door))
  agents.set(key, { agent, inputs: new Map() })
  const { tools } = await agent.client.listTools()
  await expect(agent.call(name, {})).rejects.toThrow(/Unknown tool/)
  return tools.some((tool) => tool.name === name) ? 'listed' : 'not listed'
}

/** Opens an agent whose token lacks one scope. */
async function openWithout(scope: Scope, door: Door): Promise<McpClient> {
  const token = without.get(scope) ?? ''
  return door === 'MCP stdio'
    ? openStdio(ALL_TOOLS, { ...env, DRAY_BASE_URL: base, DRAY_TOKEN: token })
    : openHttp(await openDoor(), token)
}

let door: Promise<string> | undefined
const openDoor = (): Promise<string> => (door ??= serve([], env))

/** The inputs for commands: quotes of the account, by service, whatever token or profile a case uses. */
const inputsOfCli = new Map<string | undefined, Promise<Inputs>>()

function prepareByCommand(url?: string): Promise<Inputs> {
  const more: Record<string, string> = url === undefined ? {} : { DRAY_BASE_URL: url, DRAY_TOKEN: everything }
  const inputs =
    inputsOfCli.get(url) ??
    prepare(async (operation, input) =>
      (await dray(['api', operation, '--input', '-'], more, JSON.stringify(input))).json(),
    )
  inputsOfCli.set(url, inputs)
  return inputs
}

/** Runs a command of the operation that must be rejected. */
async function refusedCommand(
  operation: AnyOperation,
  words: readonly string[],
  more: Record<string, string> = {},
): Promise<unknown> {
  const inputs = await prepareByCommand(more['DRAY_BASE_URL'])
  const input = JSON.stringify(inputs.get(operation.name) ?? exampleInput(operation))
  const ran = await dray(['api', operation.name, '--input', '-', ...words], more, input)
  const { code, exit_code } = ran.json<{ code: string; exit_code: number }>()
  expect(ran.exitCode).toBe(exit_code)
  return code
}

async function refusedRequest({ path, method, scope }: AnyOperation): Promise<unknown> {
  const response = await fetch(base + path, {
    method,
    headers: {
      Authorization: `Bearer ${without.get(scope)}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'k',
    },
    body: '{}',
  })
  return ((await response.json()) as { code: string }).code
}

/** All that a command can be told to go on. What cannot be taken back is confirmed by its name. */
async function sure(operation: AnyOperation): Promise<string[]> {
  const { danger, positionals = [] } = operation.cli
  const [name = ''] = positionals
  const input = (await prepareByCommand(base)).get(operation.name) ?? exampleInput(operation)
  return danger === 'destructive'
    ? ['--confirm', String(input[name])]
    : ['--yes', '--max-total', '9999', '--confirm', 'default']
}

/** A guard at an interface: the error code of a rejected purchase, or why this guard does not exist there. */
type Cell = { code: string; refused(operation: AnyOperation): Promise<unknown> } | { why: string }

const PROGRAM = { why: 'by design none: the caller is a program of its own, which holds the limit itself' }

const CELLS: Readonly<Record<Guard, Record<Door, Cell>>> = {
  limit: {
    CLI: {
      code: 'price_above_limit',
      refused: (one) => refusedCommand(one, ['--yes', '--max-total', '0.01']),
    },
    HTTP: PROGRAM,
    'MCP stdio': {
      code: 'spend_limit_reached',
      refused: (one) => refusedAgent(one, 'limit', 'MCP stdio'),
    },
    'MCP HTTP': { code: 'spend_limit_reached', refused: (one) => refusedAgent(one, 'limit', 'MCP HTTP') },
  },
  confirmation: {
    CLI: { code: 'not_confirmed', refused: (one) => refusedCommand(one, []) },
    HTTP: { why: 'by design none: HTTP has no person; who calls it has asked theirs' },
    'MCP stdio': {
      code: 'approval_required',
      refused: (one) => refusedAgent(one, 'confirmation', 'MCP stdio'),
    },
    'MCP HTTP': {
      code: 'approval_required',
      refused: (one) => refusedAgent(one, 'confirmation', 'MCP HTTP'),
    },
  },
  audit: {
    CLI: { why: 'by design another: the call is remembered before it is sent (dray pending)' },
    HTTP: { why: 'by design another: the service logs each request (dray sandbox log)' },
    'MCP stdio': { code: 'storage_full', refused: (one) => refusedAgent(one, 'audit', 'MCP stdio') },
    'MCP HTTP': { code: 'storage_full', refused: (one) => refusedAgent(one, 'audit', 'MCP HTTP') },
  },
  'protected profile': {
    CLI: {
      code: 'not_confirmed',
      refused: (one) => refusedCommand(one, ['--yes', '--max-total', '9999'], PROTECTED),
    },
    HTTP: { why: 'by design none: a profile belongs to this machine, not to the service' },
    'MCP stdio': {
      code: 'approval_required',
      refused: (one) => refusedAgent(one, 'protected profile', 'MCP stdio'),
    },
    'MCP HTTP': {
      code: 'approval_required',
      refused: (one) => refusedAgent(one, 'protected profile', 'MCP HTTP'),
    },
  },
  scope: {
    CLI: {
      code: 'insufficient_scope',
      refused: async (one) =>
        refusedCommand(one, await sure(one), {
          DRAY_BASE_URL: base,
          DRAY_TOKEN: without.get(one.scope) ?? '',
        }),
    },
    HTTP: { code: 'insufficient_scope', refused: refusedRequest },
    'MCP stdio': { code: 'not listed', refused: (one) => withoutTool(one, 'MCP stdio') },
    'MCP HTTP': { code: 'not listed', refused: (one) => withoutTool(one, 'MCP HTTP') },
  },
}

// A call that cancels a transaction has no guard except its scope: getting out of it is never held up, and the amount is written down.

beforeAll(async () => {
  await builtProgram()
  mkdirSync(join(home, 'config'), { recursive: true })
  const store = join(home, 'data/default/dray.db')
  writeFileSync(
    join(home, 'config/config.json'),
    JSON.stringify({ profiles: { guarded: { store, protected: true } } }),
    { mode: 0o600 },
  )
  everything = await mint([])
  const batch = JSON.stringify({ shipments: makeRows(2) })
  const words = ['api', 'create_shipments_batch', '--input', '-', '--yes', '--max-total', '100']
  parcels = (await dray(words, {}, batch)).json()
  bought = await countBought()
  const service = startDray(['serve', '--port', '0', '--json', '--store', store], { env })
  servers.push(service)
  base = await readServerUrl(service)
  for (const scope of new Set(spending.map((one) => one.scope)))
    without.set(scope, await mint(SCOPES.filter((other) => other !== scope)))
})

afterAll(async () => {
  for (const { agent } of agents.values()) await agent.close()
  for (const server of servers) server.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
  rmSync(home, { recursive: true, force: true })
})

test('every operation that spends has a cell for each guard at each door', async () => {
  const inputs = await prepareByCommand()
  // A purchase without an input would not be tested here.
  expect(buying.map(({ name }) => name).filter((name) => !inputs.has(name))).toEqual([])
  const wrong = operations.filter(
    ({ name, spends }) => (spends?.how ?? 'nothing') !== (OPERATION_CASES[name]?.spends ?? 'nothing'),
  )
  expect(wrong.map((one) => `${one.name}: spends of its cases in ${toCaseFile(one)} says otherwise`)).toEqual(
    [],
  )
  const paid = spending.filter(({ name }) =>
    ['quote', 'invoice', 'difference'].includes(OPERATION_CASES[name]?.spends ?? ''),
  )
  expect(buying).toEqual(paid)
  const lines = GUARDS.flatMap((guard) =>
    DOORS.map((at) => {
      const cell = CELLS[guard][at]
      return `${guard} | ${at} | ${'why' in cell ? cell.why : `refused: ${cell.code}`}`
    }),
  )
  const head = 'guard | door | what happens to a purchase that the guard does not let through'
  await expect([head, ...lines, ''].join('\n')).toMatchFileSnapshot('spending-table.txt')
})

const guarded = GUARDS.flatMap((guard) => DOORS.map((at) => ({ guard, at, cell: CELLS[guard][at] })))

describe.each(guarded.filter(({ cell }) => 'refused' in cell))('the $guard at $at', ({ guard, cell }) => {
  test.each(guard === 'scope' ? spending : buying)('refuses $name', async (one) => {
    if (!('refused' in cell)) throw new Error('there is nothing to test')
    expect(await cell.refused(one)).toBe(cell.code)
  })

  test('lets nothing be bought', async () => {
    expect(await countBought()).toBe(bought)
  })
})
