/** The way by which a call came. Our own client says it, and the service keeps it beside what the call changed. */
export const VIAS = ['terminal', 'page', 'api', 'agent'] as const

export type CallChannel = (typeof VIAS)[number]

/**
 * `byPerson`: a person made the call, or agreed to exactly this one. `importId` is that of the import of a file whose part
 * the call is.
 */
export type CallSource = { via: CallChannel; byPerson: boolean; importId?: string | undefined }

/** The value of `Dray-Via` for a call of an agent that a person agreed to. */
const AGREED = 'agent; agreed'

const IMPORT = /^(.*); import=(imp_[0-7][0-9a-hjkmnp-tv-z]{25})$/

/** Returns the value of `Dray-Via`, from which `readRequestOrigin` reads the same. */
export function formatCallSource(
  via: CallChannel,
  { agreed, importId }: { agreed?: boolean; importId?: string } = {},
): string {
  const text = via === 'agent' && agreed === true ? AGREED : via
  return importId === undefined ? text : `${text}; import=${importId}`
}

/** Reads `Dray-Via`. Other programs send none, or anything: they are `api`. */
export function parseCallSource(text: string | undefined): CallSource {
  const [, caller = text, importId] = IMPORT.exec(text ?? '') ?? []
  if (caller === AGREED) return { via: 'agent', byPerson: true, importId }
  const via = VIAS.find((each) => each === caller) ?? 'api'
  return { via, byPerson: via === 'terminal' || via === 'page', importId }
}
