/** The way by which a call came. Our own client says it, and the service keeps it beside what the call changed. */
export const VIAS = ['terminal', 'page', 'api', 'agent'] as const

export type Via = (typeof VIAS)[number]

/** `byPerson`: a person made the call, or agreed to exactly this one. */
export type Origin = { via: Via; byPerson: boolean }

/** The value of `Dray-Via` for a call of an agent that a person agreed to. */
const AGREED = 'agent; agreed'

/** Returns the value of `Dray-Via`, from which `originOf` reads the same. */
export function viaText(via: Via, agreed = false): string {
  return via === 'agent' && agreed ? AGREED : via
}

/** Reads `Dray-Via`. Other programs send none, or anything: they are `api`. */
export function originOf(text: string | undefined): Origin {
  if (text === AGREED) return { via: 'agent', byPerson: true }
  const via = VIAS.find((each) => each === text) ?? 'api'
  return { via, byPerson: via === 'terminal' || via === 'page' }
}
