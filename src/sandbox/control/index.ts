import type { AnySandboxOperation } from '../../core/operation.ts'

/** Every control call, loaded when it is first asked for; in the order in which help lists their commands. */
export const CONTROLS = {
  get_status: () => import('./get_status.ts').then((m) => m.getStatus),
  get_clock: () => import('./get_clock.ts').then((m) => m.getClock),
  set_clock: () => import('./set_clock.ts').then((m) => m.setClock),
  advance_clock: () => import('./advance_clock.ts').then((m) => m.advanceClock),
  set_supply: () => import('./set_supply.ts').then((m) => m.setSupply),
  list_accounts: () => import('./list_accounts.ts').then((m) => m.listAccounts),
  add_account: () => import('./add_account.ts').then((m) => m.addAccount),
  set_membership: () => import('./set_membership.ts').then((m) => m.setMembership),
  get_wallet: () => import('./get_wallet.ts').then((m) => m.getWallet),
  mint_token: () => import('./mint_token.ts').then((m) => m.mintToken),
  create_client: () => import('./create_client.ts').then((m) => m.createClient),
  approve_device: () => import('./approve_device.ts').then((m) => m.approveDevice),
  create_approval_link: () => import('./create_approval_link.ts').then((m) => m.createApprovalLink),
  create_page_link: () => import('./create_page_link.ts').then((m) => m.createPageLink),
  settle_payment: () => import('./settle_payment.ts').then((m) => m.settlePayment),
  open_check: () => import('./open_check.ts').then((m) => m.openCheck),
  settle_check: () => import('./settle_check.ts').then((m) => m.settleCheck),
  pay_out: () => import('./pay_out.ts').then((m) => m.payOut),
  scan_shipment: () => import('./scan_shipment.ts').then((m) => m.scanShipment),
  scan_manifest: () => import('./scan_manifest.ts').then((m) => m.scanManifest),
  step_resource: () => import('./step_resource.ts').then((m) => m.stepResource),
  add_fault: () => import('./add_fault.ts').then((m) => m.addFault),
  list_faults: () => import('./list_faults.ts').then((m) => m.listFaults),
  clear_faults: () => import('./clear_faults.ts').then((m) => m.clearFaults),
  get_world: () => import('./get_world.ts').then((m) => m.getWorld),
  list_requests: () => import('./list_requests.ts').then((m) => m.listRequests),
  get_coverage: () => import('./get_coverage.ts').then((m) => m.getCoverage),
  list_events: () => import('./list_events.ts').then((m) => m.listEvents),
  reset: () => import('./reset.ts').then((m) => m.reset),
} as const

export type ControlName = keyof typeof CONTROLS

type Of<N extends ControlName> = Awaited<ReturnType<(typeof CONTROLS)[N]>>

/** A name that is only known at run time takes any input; one that no call has takes none. */
export type ControlInput<N extends string> = string extends N
  ? Readonly<Record<string, unknown>>
  : N extends ControlName
    ? Parameters<Of<N>['run']>[1]
    : never

export type ControlAnswer<N extends string> = N extends ControlName
  ? Awaited<ReturnType<Of<N>['run']>>
  : unknown

export async function findControl(name: string): Promise<AnySandboxOperation | undefined> {
  return Object.hasOwn(CONTROLS, name) ? CONTROLS[name as ControlName]() : undefined
}

export async function listControls(): Promise<AnySandboxOperation[]> {
  return Promise.all(Object.values(CONTROLS).map((load) => load()))
}
