/**
 * A separate process on a store: `order-terminal <store> <account>`. It reads lines of JSON, each a list of calls. It
 * makes them one after the other until one is rejected, and prints a line with the responses.
 */
import { createInterface } from 'node:readline'
import { AppError } from '../../src/core/errors.ts'
import { openEmbedded } from '../../src/host/embedded.ts'

export type TerminalCall = { operation: string; input: Record<string, unknown>; key?: string }
export type TerminalResult = { code: string; body: Record<string, unknown> }

const [store = '', account = ''] = process.argv.slice(2)
const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes))
const client = await openEmbedded(
  { kind: 'embedded', store, account },
  {
    now: Date.now,
    random,
    weakRandomBytes: random,
    env: { DRAY_SEED: '1', DRAY_NOW: '2026-11-20T09:00:00Z' },
    firstRun() {},
    debug() {},
  },
)

for await (const line of createInterface({ input: process.stdin })) {
  const answers: TerminalResult[] = []
  for (const asked of JSON.parse(line) as TerminalCall[]) {
    const answer = await ask(asked)
    answers.push(answer)
    if (answer.code !== 'ok') break
  }
  process.stdout.write(`${JSON.stringify(answers)}\n`)
}
await client.close()

async function ask({ operation, input, key }: TerminalCall): Promise<TerminalResult> {
  try {
    const { value } = await client.call(operation, input, key === undefined ? {} : { idempotencyKey: key })
    return { code: 'ok', body: value as TerminalResult['body'] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, body: error.extra }
  }
}
