/** A quote of any area as its caller sees it (`contract.md` A8). Pure. */
import { toTimestamp } from '../../core/time.ts'

/** Returns the members that every quote shows when it is new. */
export function showQuote<Kind extends string>(
  kind: Kind,
  { quote_id, created_at, expires_at }: { quote_id: string; created_at: number; expires_at: number },
) {
  return {
    quote_id,
    kind,
    status: 'open' as const,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    expires_in_seconds: (expires_at - created_at) / 1000,
  }
}
