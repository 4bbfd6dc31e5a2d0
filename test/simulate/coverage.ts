/** The things that must have happened in a run: a simulation in which nothing happens is green, too. */

/** Names of counts, each with how often it happens in a hundred seeds at least. */
const MIN_COUNTS: Readonly<Record<string, number>> = {
  'lost request': 100,
  'lost answer': 80,
  pause: 300,
  'clock jump ahead': 5,
  'clock jump back': 5,
  'failed statement': 20,
  'failed commit': 5,
  'full disk': 5,
  'full disk, transaction open': 5,
  'failed write': 5,
  'failed write, transaction open': 5,
  'failed sync': 5,
  'failed rollback': 10,
  'failed opening': 1,
  'connection opened again': 10,
  'kill between two statements': 20,
  'kill before a commit': 5,
  'kill after a commit': 3,
  'kill after a failed sync': 3,
  'another process between two statements': 200,
  'store held by another process': 200,
  'same key at two places at once': 50,
  'group of 1': 800,
  'group of 2': 80,
  'group of 3': 20,
  'group of 4': 5,
  'group of 5 or more': 1,
  'call of a group in a savepoint': 100,
  'retry without an answer': 500,
  'retry after a failure': 30,
  replay: 200,
  'failure storage_full': 5,
  'failure store_error': 10,
  'failure internal_error': 5,
  'read of the price after a change': 150,
  'read of the membership after a change': 50,
  "look at another's order_id": 50,
  "look at another's ride_id": 50,
  "look at another's tracking_number": 50,
  'refusal idempotency_key_reused': 30,
  'refusal quote_already_used': 30,
  'refusal quote_expired': 5,
  'refusal payment_declined': 20,
  'refusal membership_required': 50,
  'refusal item_unavailable': 20,
  'refusal not_cancellable': 5,
  'refusal invalid_state': 5,
  'refusal duplicate_reference': 1,
  'refusal duplicate_item': 1,
  'refusal order_not_found': 50,
  'refusal ride_not_found': 50,
  'refusal shipment_not_found': 50,
}

/** Adds the counts of a seed to those of the run. */
export function addSeedCounts(all: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count)
}

/** Returns a sentence for each thing that happened too seldom in a run of a hundred seeds or more. */
export function listMissingCounts(all: ReadonlyMap<string, number>): string[] {
  return Object.entries(MIN_COUNTS)
    .filter(([name, least]) => (all.get(name) ?? 0) < least)
    .map(([name, least]) => `${name}: seen ${all.get(name) ?? 0} times, not ${least}`)
}

/** Returns the counts as lines of a table. */
export function formatCounts(all: ReadonlyMap<string, number>): string[] {
  return [...all]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${String(count).padStart(9)}  ${name}`)
}
