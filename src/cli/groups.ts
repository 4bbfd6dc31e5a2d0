import { AREAS } from '../core/areas.ts'

/** The groups of commands, in the order of help. */
export const GROUPS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(AREAS).map(([area, { commands }]) => [area, commands])),
  sandbox: 'The simulated world: clock, accounts, events',
  scenario: 'Files of steps: calls, time that passes, what is expected',
  profile: 'Named settings: which service, which account',
  'business orders': 'The orders of a store: see them, accept, prepare, hand over',
  'business catalog': 'The menu of a store: list, change and take items off sale',
  'sandbox clock': 'The clock of the sandbox: see it, stop it, move it on',
  intents: 'Calls without a response: list and resolve them',
  'sandbox snapshot': 'The whole sandbox, kept and brought back',
  'sandbox check': 'The check of a table: open it, let it be paid',
  'sandbox account': 'The accounts of the sandbox: who there is, and what each may do',
}
