import type { Runtime } from '../../src/cli/runtime.ts'
import { type AnyCall, type Client, withOperationTypes, withControlTypes } from '../../src/client/client.ts'
import type { ClientOperationName } from '../../src/client/operations.ts'
import { main } from '../../src/commands/main.ts'
import { AppError, fromProblem } from '../../src/core/errors.ts'
/** A world's service as the client of commands and tools, in this process. */
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { makeRuntime } from '../../src/runtime.ts'
import type { ControlName } from '../../src/sandbox/control/index.ts'
import { callTestControl } from './control.ts'
import { newKey } from './food.ts'
import { makeHome } from './home.ts'
import { memoryIo } from './memory-io.ts'
import { partialResponse } from './part.ts'
import { splitCommandLine } from './program.ts'
import { ROOT } from './sources.ts'
import type { TestSandbox } from './world.ts'

/** Returns a client that calls as an account. */
export function makeSandboxClient(world: TestSandbox, account: string): Client {
  const serviceTime = async () => ({ now: await world.now(), frozen: true })
  const call: AnyCall = async (name, input, { as = account, idempotencyKey, scenario } = {}) => {
    const { idempotency } = await OPERATIONS[name as ClientOperationName]()
    const key = idempotencyKey ?? (idempotency === 'required' ? newKey() : undefined)
    const options = { as, ...(key !== undefined && { key }), ...(scenario !== undefined && { scenario }) }
    const { status, body, headers } = await world.call(name, { ...input }, options)
    if (status >= 400) throw fromProblem(body) ?? new AppError('internal_error', JSON.stringify(body))
    const replayed = headers['Idempotent-Replayed'] === 'true'
    return { value: body, status, replayed, requestId: '', serviceTime: await serviceTime() }
  }
  return partialResponse<Client>({
    call: withOperationTypes(call),
    control: withControlTypes((name, input) => callTestControl(world, name as ControlName, { ...input })),
    serviceTime,
    latestFacts: () => undefined,
    whoAmI: async () => ({ accountId: undefined, account, scopes: undefined }),
    close: async () => {},
  })
}

/**
 * Runs lines, as typed after `dray`, against a world, on one machine. Throws unless each ends with the exit code; returns what
 * the last one printed.
 */
export async function runIn(
  world: TestSandbox,
  lines: string | readonly string[],
  exit = 0,
): Promise<string> {
  using home = makeHome({ NO_COLOR: '1' })
  const openClient: Runtime['openClient'] = async (target) =>
    makeSandboxClient(world, (target.kind === 'embedded' && target.account) || 'everything')
  let printed = ''
  for (const line of [lines].flat()) {
    const io = memoryIo({ env: home.env })
    const code = await main(splitCommandLine(line), { ...makeRuntime(ROOT), ...home, openClient }, io)
    printed = io.out() + io.err()
    if (code !== exit) throw new Error(`dray ${line} ended with ${code}: ${printed}`)
  }
  return printed
}
