import { control } from './control.ts'
import { NOON, type Served } from './served.ts'
import { worldOver } from './world.ts'

let added = 0

/** Adds an account to a served store, and returns its short name. What another account made is not its own. */
export async function addAccount(
  { db }: Pick<Served, 'db'>,
  agreements: { carrier?: boolean; business?: boolean },
): Promise<string> {
  const handle = `added${++added}`
  await control(worldOver(db), 'add_account', { handle, ...agreements }, { now: () => NOON })
  return handle
}
