import { openAccount } from '../../src/areas/account/seed.ts'
import { SCOPES } from '../../src/core/account.ts'
import type { Tx } from '../../src/core/db.ts'
import type { StoredWorld } from '../../src/db/world.ts'

/** Opens the account `without`, which has every scope and none of the entitlements. */
export async function openWithout(tx: Tx, { world }: StoredWorld, now: number): Promise<void> {
  await openAccount(tx, world, now, {
    handle: 'without',
    name: 'Wendy Without',
    scopes: SCOPES,
    membership: 'none',
    carrier: false,
    business: false,
  })
}
