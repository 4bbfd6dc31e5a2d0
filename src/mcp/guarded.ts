/** The state of one run of the tools, and one call of an agent. Types only. */
import type { Machine } from '../core/machine.ts'
import type { Actor, Purse } from '../journal/ledger.ts'
import type { Program } from './ask.ts'
import type { GateDeps } from './gate.ts'
import type { SpendLimit } from './spend.ts'
import type { Tool } from './tools.ts'

export type GuardOptions = {
  actor: Actor
  protected: boolean
  /** Whether a person has to agree to what is bought. */
  gate: boolean
  /** Whether a person has to agree before the price of an item on sale moves by more than half. */
  priceGate: boolean
  limits: readonly SpendLimit[]
  auditFile: string
  /** The command line that a person types to reach this service with these words of `dray`. */
  commandOf(words: readonly string[]): string
  runtime: Pick<Machine, 'paths' | 'lock' | 'now' | 'pid' | 'random'>
  /** A notice for whoever reads the log of the server. */
  warn(line: string): void
}

/** With whose money it is; to find that out may mean to ask the service. */
export type Guard = GuardOptions & GateDeps & { purse(): Promise<Purse>; lastServiceTime: number | undefined }

/** One tool call. */
export type Called = {
  tool: Pick<Tool, 'name' | 'read' | 'spends' | 'listed'>
  input: Record<string, unknown>
  /** Given by the agent. */
  idempotencyKey: string | undefined
  signal: AbortSignal
  program: Program
}
