/** Filters log lines, the same for `dray sandbox log` and the log of `dray serve`. */

export type LogFilter = {
  operation?: string | undefined
  /** `404`, or `4xx` for the whole class. */
  status?: string | undefined
  /** The names of one account; any of them matches. */
  accounts?: readonly string[] | undefined
  /** True if to keep only failed requests. */
  failed?: boolean | undefined
  /** The shortest duration in milliseconds. */
  slower_ms?: number | undefined
}

export type RequestLogEntry = {
  operation: string | null
  account: string | null
  status: number
  duration_ms: number
}

/** The pattern of a status filter. */
export const STATUS_PATTERN = '^[1-5]([0-9]{2}|xx)$'

/** Returns whether a line matches the filter. An empty filter matches every line. */
export function matchesFilter(line: RequestLogEntry, filter: LogFilter): boolean {
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

/** Returns the error code of a problem document or an OAuth error; null without one. */
export function codeIn(body: string): string | null {
  try {
    const { code, error } = JSON.parse(body) as { code?: unknown; error?: unknown }
    return [code, error].find((one) => typeof one === 'string') ?? null
  } catch {
    return null
  }
}
