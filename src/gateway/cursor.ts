import { canonicalJson } from '../core/canonical-json.ts'
import type { PageRequest, SortKey } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import { hmacHex, sha256Hex } from '../core/hash.ts'
import type { AnyOperation } from '../core/operation.ts'
import { omitViewOptions } from '../core/views.ts'
import type { StoredWorld } from '../db/world.ts'

type Input = Record<string, unknown>
/** The store of a list. Its cursors end with its generation: the next page of another store's list would not continue this one. */
type CursorSource = Pick<StoredWorld, 'cursorKey' | 'generation'>

const VERSION = 1
const MAC_LENGTH = 32

/**
 * Reads and writes the cursors of one listing. A cursor is base64url of the position and its MAC. The MAC also covers
 * the operation, the caller and the filters, so an altered or foreign cursor is rejected.
 */
export function makeCursor(
  operation: AnyOperation,
  input: Input,
  accountId: string,
  { cursorKey, generation }: CursorSource,
): PageRequest {
  const key = `${cursorKey} ${generation}`
  const limit = Number(input['limit'] ?? operation.input.properties['limit']?.default ?? 25)
  // Computed only when needed: most calls list nothing, and a manifest is long to hash.
  const filters = (): string => filterHash(input, accountId)
  return {
    limit,
    after:
      typeof input['cursor'] === 'string'
        ? decode(input['cursor'], operation.name, filters(), key)
        : undefined,
    page(rows, keys, toData, scannedTo) {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const next = rows.length > limit && last !== undefined ? keys(last) : scannedTo
      return {
        data: shown.map(toData),
        has_more: next !== undefined,
        next_cursor: next === undefined ? null : encode(next, operation.name, filters(), key),
      }
    },
  }
}

function filterHash({ limit: _limit, cursor: _cursor, ...filters }: Input, accountId: string): string {
  return sha256Hex(canonicalJson([accountId, omitViewOptions(filters)])).slice(0, 16)
}

function encode(last: SortKey[], op: string, fh: string, key: string): string {
  const payload = JSON.stringify({ v: VERSION, op, last, fh })
  return Buffer.from(mac(payload, key) + payload).toString('base64url')
}

function decode(cursor: string, op: string, fh: string, key: string): SortKey[] {
  const text = Buffer.from(cursor, 'base64url').toString()
  const payload = text.slice(MAC_LENGTH)
  // The decoder skips invalid characters; without this check several texts would stand for one position.
  const whole = Buffer.from(text).toString('base64url') === cursor
  if (!whole || mac(payload, key) !== text.slice(0, MAC_LENGTH))
    throw invalid('was altered, is not from this service, or is older than a reset or restore of its store')
  const position = JSON.parse(payload) as { v: number; op: string; last: SortKey[]; fh: string }
  if (position.v !== VERSION || position.op !== op) throw invalid(`belongs to another operation than ${op}`)
  if (position.fh !== fh) throw invalid('was made with other filters or by somebody else')
  return position.last
}

function mac(payload: string, key: string): string {
  return hmacHex(key, payload).slice(0, MAC_LENGTH)
}

function invalid(why: string): AppError {
  return new AppError('invalid_cursor', `The cursor ${why}.`, {
    errors: [{ parameter: 'cursor', code: 'invalid_format', detail: `cursor ${why}` }],
  })
}
