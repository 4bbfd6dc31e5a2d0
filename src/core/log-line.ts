/** What the lines of a log tell, and which are meant: `dray sandbox log` and the log of `dray serve` say it in the same words. */

export type LogFilter = {
  operation?: string | undefined
  /** `404`, or as `4xx` all of its kind. */
  status?: string | undefined
  /** Any of the names that one account goes by. */
  accounts?: readonly string[] | undefined
  /** What was refused or went wrong. */
  failed?: boolean | undefined
  /** Took at least so many milliseconds. */
  slower_ms?: number | undefined
}

export type Logged = {
  operation: string | null
  account: string | null
  status: number
  duration_ms: number
}

/** How a status is asked for. */
export const STATUS_PATTERN = '^[1-5]([0-9]{2}|xx)$'

/** Whether a line is meant; without anything that narrows it, every line is. */
export function isMeant(line: Logged, filter: LogFilter): boolean {
  const { operation, status, accounts, failed = false, slower_ms: slowest = 0 } = filter
  return (
    (operation === undefined || operation === line.operation) &&
    (status === undefined ||
      status === String(line.status) ||
      status === `${Math.trunc(line.status / 100)}xx`) &&
    (accounts === undefined || accounts.includes(line.account ?? '')) &&
    (!failed || line.status >= 400) &&
    line.duration_ms >= slowest
  )
}

/** The error code in the text of a refusal: of a problem document, or of a refusal in OAuth's words; null without one. */
export function codeIn(body: string): string | null {
  try {
    const { code, error } = JSON.parse(body) as { code?: unknown; error?: unknown }
    return [code, error].find((one) => typeof one === 'string') ?? null
  } catch {
    return null
  }
}
