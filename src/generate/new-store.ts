/** The schema of a new SQLite store in one step: to alter its tables one version after the other takes four times as long. */
import { statementsOf } from '../db/sqlite-schema.ts'
import { SCHEMA_VERSION } from '../db/version.ts'

/** Returns the source of the statements that make the tables and indexes of the newest version. */
export function newStoreSource(): string {
  return `export const NEW_STORE: readonly string[] = ${JSON.stringify(statementsOf(SCHEMA_VERSION))}\n`
}
