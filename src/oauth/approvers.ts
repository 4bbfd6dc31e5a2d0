/** The browsers that may approve devices: each opened a link that only the holder of the control token can make. */
import type { Db, Tx } from '../core/db.ts'
import { sha256Hex } from '../core/hash.ts'
import { lockWorld } from '../db/world.ts'
import { deleteApprovers, isApprover, saveApprover, useLink } from './queries/approvers.ts'
import { deleteControlSessions } from './queries/page-sessions.ts'
import { newSecret } from './secrets.ts'

/**
 * The same life as a device code. Links and browsers use the machine's clock, because a person waits, not the
 * sandbox.
 */
export const LINK_LIFE_S = 600
/** A working day. */
export const BROWSER_LIFE_S = 12 * 3600

type Moment = { machineNow: number; random: (count: number) => Uint8Array }

/** Makes the ticket of a link that a browser can open once. Only its SHA-256 is stored. */
export async function createTicket(tx: Tx, { machineNow, random }: Moment): Promise<string> {
  // A reset that runs in the meantime would not see it.
  await lockWorld(tx)
  await deleteApprovers(tx, machineNow)
  const ticket = newSecret('ticket', random)
  await saveApprover(tx, {
    secret_hash: sha256Hex(ticket),
    kind: 'link',
    expires_at: machineNow + LINK_LIFE_S * 1000,
  })
  return ticket
}

/**
 * Opens a link. Returns the secret of a browser that may approve from now on: its present secret if that is still
 * valid. Returns undefined when the ticket is used or expired and the browser could not approve before.
 */
export async function openApprovalLink(
  db: Db,
  { ticket, browser }: { ticket: string; browser: string | undefined },
  { machineNow, random }: Moment,
): Promise<string | undefined> {
  const [hash, expiresAt] = [sha256Hex(ticket), machineNow + BROWSER_LIFE_S * 1000]
  const { good, known } = await db.read(async (tx) => ({
    good: await isApprover(tx, 'link', hash, machineNow),
    known: browser !== undefined && (await mayApprove(tx, browser, machineNow)) ? browser : undefined,
  }))
  // An invalid ticket writes nothing, because any program may send any number of them.
  if (!good) return known
  return db.write(async (tx) => {
    await lockWorld(tx)
    if (!(await useLink(tx, hash, machineNow))) return known
    const secret = known ?? newSecret('browser', random)
    await saveApprover(tx, { secret_hash: sha256Hex(secret), kind: 'browser', expires_at: expiresAt })
    return secret
  })
}

/** Returns whether the browser with this secret may approve. */
export function mayApprove(tx: Tx, browser: string, machineNow: number): Promise<boolean> {
  return isApprover(tx, 'browser', sha256Hex(browser), machineNow)
}

/** Ends every link, and every browser's right to approve and to control. Used when the control token is replaced. */
export async function endApprovals(db: Db): Promise<void> {
  await db.write(async (tx) => {
    await lockWorld(tx)
    await deleteApprovers(tx)
    await deleteControlSessions(tx)
  })
}
