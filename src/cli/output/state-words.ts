/** States as people say them: in sentences and counts. Tables and scripts have the words of the interface. */

/** Words of carriers that no customer knows. */
const SAID: Readonly<Record<string, string>> = { pre_transit: 'awaiting collection' }

/** Returns `out for delivery` for `out_for_delivery`. */
export function stateWords(state: string): string {
  return SAID[state] ?? state.replaceAll('_', ' ')
}
