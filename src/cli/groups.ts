import { AREAS } from '../core/areas.ts'

/** The groups of commands, in the order of help. */
export const GROUPS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(AREAS).map(([area, { commands }]) => [area, commands])),
  webhooks: 'Have events delivered to an address',
  sandbox: 'Control the sandbox: clock, accounts, events',
  scenario: 'Run test scenarios: calls, clock and expected results',
  profile: 'Manage named settings: server and account',
  'business orders': 'Manage a store’s orders: list, accept, prepare, complete',
  'business catalog': 'Manage a store’s menu: list, change, import, mark unavailable',
  'business day': 'Close business days, and show closed ones',
  'sandbox clock': 'Show, freeze or advance the sandbox clock',
  pending: 'Calls without a response: list and resolve them',
  'sandbox snapshot': 'Save and restore the whole sandbox',
  'sandbox check': 'Open or pay a table bill',
  'sandbox account': 'Manage sandbox accounts and their permissions',
}
