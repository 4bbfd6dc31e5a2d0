/** The types of the guard's state and of one call by an agent. */
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import type { Actor, SpendAccount } from '../local-state/ledger.ts'
import type { McpClientSession } from './elicitation.ts'
import type { GateDeps } from './gate.ts'
import type { SpendLimit } from './spend.ts'
import type { Tool } from './tools.ts'

export type GuardOptions = {
  actor: Actor
  protected: boolean
  /** True if a person must consent to purchases. */
  gate: boolean
  /**
   * True if a person must consent before a sale price changes by more than half, before an item is free, and before a
   * purchase with a large amount in it.
   */
  priceGate: boolean
  /** True if a person must consent to what cannot be undone or pays money out, too. */
  finalGate: boolean
  limits: readonly SpendLimit[]
  auditFile: string
  /** Returns the command line by which a person runs `dray` with these words at this service. */
  commandOf(words: readonly string[]): string
  runtime: Pick<Machine, 'paths' | 'lock' | 'now' | 'pid' | 'random'>
  /** Writes a notice to the server's log. */
  warn(line: string): void
}

/** The guard. `purse` returns the paying account, which may need a call to the service. */
export type GuardState = GuardOptions &
  GateDeps & { purse(): Promise<SpendAccount>; lastServiceTime: number | undefined }

/** One tool call. */
export type ToolCall = {
  tool: Pick<Tool, 'name' | 'read' | 'spends' | 'repetition' | 'adds' | 'look' | 'final' | 'listed'>
  input: Record<string, unknown>
  /** The agent's own key. */
  idempotencyKey: string | undefined
  /** The scenario that the sandbox plays. */
  scenario?: string | undefined
  signal: AbortSignal
  /** Called when the change begins: later it is not cancelled. Throws AppError('call_cancelled'). */
  beforeChange(): void
  /** Called for each row that the service has read. */
  onRow?: (() => void) | undefined
  program: McpClientSession
}

/** Throws AppError('call_cancelled') when the caller has cancelled the call. */
export function throwIfCancelled({
  signal,
  tool,
}: Pick<ToolCall, 'signal'> & { tool: { name: string } }): void {
  if (!signal.aborted) return
  throw new AppError(
    'call_cancelled',
    `The client cancelled ${tool.name} before it started. Nothing was done.`,
  )
}
