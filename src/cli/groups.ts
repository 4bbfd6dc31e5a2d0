/** The groups of commands, in the order in which help shows them. */
export const GROUPS: Readonly<Record<string, string>> = {
  account: 'Your membership',
  food: 'Order food: search, menu, quote, order, track',
  rides: 'Request a ride: options, quote, request, track',
  delivery: 'Send a courier between two points',
  carrier: 'Parcels: coverage, rates, manifests, tracking',
  services: 'Book somebody who comes to you',
  tasks: 'Have something done, with evidence',
  business: "A store's orders and catalogue",
  sandbox: 'The simulated world: clock, accounts, events',
  profile: 'Named settings: which service, which account',
  'business orders': 'The orders of a store: see them, accept, prepare, hand over',
  'business catalog': 'What a store sells: see it, change it, take it off sale',
  'sandbox clock': 'The clock of the sandbox: see it, stop it, move it on',
  intents: 'Calls that were never answered: what became of them',
  'sandbox check': 'The check of a table: open it, let it be paid',
  'sandbox account': 'The accounts of the sandbox: who there is, and what each may do',
}

/** Command words in the order of help: groups first, in the order above; inside a group as the design lists them. */
const ORDER = [
  'account membership',
  'carrier coverage',
  'carrier rates',
  'carrier hubs',
  'carrier create',
  'carrier upload',
  'carrier template',
  'carrier list',
  'carrier show',
  'carrier events',
  'carrier track',
  'carrier cancel',
  'business orders list',
  'business orders show',
  'business orders accept',
  'business orders reject',
  'business orders prepare',
  'business orders ready',
  'business orders complete',
  'business orders watch',
  'business catalog list',
  'business catalog create',
  'business catalog update',
  'business catalog available',
  'business catalog delete',
  'business catalog import',
  'business catalog export',
  'business catalog template',
  'sandbox status',
  'sandbox clock show',
  'sandbox clock set',
  'sandbox clock freeze',
  'sandbox clock advance',
  'sandbox clock run',
  'sandbox account list',
  'sandbox account add',
  'sandbox account membership',
  'sandbox account wallet',
  'sandbox account token',
  'sandbox settle',
  'sandbox check open',
  'sandbox check settle',
  'sandbox scan',
  'sandbox step',
  'sandbox events',
  'sandbox reset',
  'intents list',
  'intents show',
  'intents resolve',
  'profile list',
  'profile add',
  'profile use',
  'profile show',
  'profile bind',
  'profile remove',
  'recent',
  'login',
  'logout',
  'whoami',
  'serve',
  'api',
]

export function compareCommands(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

function rank(words: string): number {
  const [group = ''] = words.split(' ')
  const inOrder = ORDER.indexOf(words)
  const groups = Object.keys(GROUPS)
  const place = groups.includes(group) ? groups.indexOf(group) : groups.length
  return place * 1000 + (inOrder === -1 ? ORDER.length : inOrder)
}
