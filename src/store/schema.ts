/**
 * The schema, as numbered migrations that are never edited once released. The words in braces are the driver's:
 * `{int}` 64-bit integer, `{text}` byte-ordered text, `{blob}` bytes, `{strict}` strict typing of the table.
 */
import { carrier } from './migrations/0002-carrier.ts'
import { frame } from './migrations/0001-frame.ts'

/** Index + 1 is the schema's version after the migration. Each is a list of statements. */
export const MIGRATIONS: readonly (readonly string[])[] = [frame, carrier]
