import { callTestControl } from './control.ts'
import { NOON_MS, type ServedStore } from './served.ts'
import { sandboxOverStore } from './world.ts'

let added = 0

/** Adds an account to a served store, and returns its short name. What another account made is not its own. */
export async function addServedAccount(
  { db }: Pick<ServedStore, 'db'>,
  agreements: { carrier?: boolean; business?: boolean },
): Promise<string> {
  const handle = `added${++added}`
  await callTestControl(
    sandboxOverStore(db),
    'add_account',
    { handle, ...agreements },
    { now: () => NOON_MS },
  )
  return handle
}
