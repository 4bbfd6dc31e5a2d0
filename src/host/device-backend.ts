/** The calls that the approval page of `dray serve` makes to the service in this process. */
import { listAllAccounts } from '../areas/account/queries/accounts.ts'
import type { Account, Scope } from '../core/account.ts'
import { serviceNow } from '../core/clock.ts'
import type { Tx } from '../core/db.ts'
import { loadWorld } from '../db/world.ts'
import { mayApprove, openApprovalLink } from '../oauth/approvers.ts'
import { decideDevice, findDevice } from '../oauth/device.ts'
import type { Device } from '../oauth/device.ts'
import type { Service } from './embedded.ts'

type DeviceBackendDeps = { now(): number; random(count: number): Uint8Array }

type DeviceApprovalRequest = {
  userCode: string
  device: string
  client: string
  scopes: readonly Scope[]
  accounts: readonly Account[]
}
type DeviceApprovalOutcome =
  | { outcome: 'approved'; device: string; client: string; account: Account }
  | { outcome: 'denied' | 'expired' | 'answered' }
  | { outcome: 'incomplete'; asking: DeviceApprovalRequest }

/** Opens the calls of the approval page. An approved browser may choose every account of the sandbox. */
export function openDeviceBackend(
  { db }: Pick<Service, 'db'>,
  { now, random }: DeviceBackendDeps,
): {
  find(typed: string): Promise<DeviceApprovalRequest | undefined>
  decide(
    userCode: string,
    answer: { approve: boolean; account: string | undefined },
  ): Promise<DeviceApprovalOutcome>
  key(): Promise<string>
  openLink(ticket: string, browser: string | undefined): Promise<string | undefined>
  mayApprove(browser: string): Promise<boolean>
} {
  const serviceTime = async (tx: Tx): Promise<number> => serviceNow((await loadWorld(tx)).clock, now())
  return {
    find: (typed) =>
      db.read(async (tx) => {
        const found = await findDevice(tx, typed, await serviceTime(tx))
        return found?.status === 'pending' ? ask(tx, found) : undefined
      }),
    decide: (userCode, { approve, account: accountId }) =>
      db.write(async (tx): Promise<DeviceApprovalOutcome> => {
        const at = await serviceTime(tx)
        const found = await findDevice(tx, userCode, at)
        if (found === undefined || found.status === 'expired') return { outcome: 'expired' }
        if (found.status !== 'pending') return { outcome: 'answered' }
        if (approve && accountId === undefined) return { outcome: 'incomplete', asking: await ask(tx, found) }
        const decision =
          approve && accountId !== undefined ? { approve, accountId } : { approve: false as const }
        const { account } = await decideDevice(tx, { userCode, ...decision }, at)
        return account === undefined
          ? { outcome: 'denied' }
          : { outcome: 'approved', device: found.device, client: found.client_id, account }
      }),
    key: async () => (await db.read(loadWorld)).cursorKey,
    openLink: (ticket, browser) => openApprovalLink(db, { ticket, browser }, { machineNow: now(), random }),
    mayApprove: (browser) => db.read((tx) => mayApprove(tx, browser, now())),
  }
}

async function ask(
  tx: Tx,
  { user_code: userCode, device, client_id: client, scopes }: Device,
): Promise<DeviceApprovalRequest> {
  return { userCode, device, client, scopes, accounts: await listAllAccounts(tx) }
}
