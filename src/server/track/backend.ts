/** The calls of shared links to the service. Only the types are here; `host/shared-links.ts` makes the object. */
import type { GatewayResponse, Credential } from '../../gateway/request.ts'
import type { LivingName } from '../../generated/resources.ts'

/** A link that is valid now. */
export type OpenLink = {
  /** The SHA-256 of its secret. */
  id: string
  account: string
  kind: LivingName
  resource: string
}

/** A link that was made, as its owner is told of it. */
export type MadeLink = { resource_id: string; path: string; expires_at: string }

export type ShareBackend = {
  /** Makes a link, for the owner of a resource. Throws the error of the operation that shows it. */
  share(credential: Credential | undefined, resourceId: string): Promise<MadeLink & { account: string }>
  /** Ends all links of a resource, for its owner. Throws as `share` does. */
  withdraw(
    credential: Credential | undefined,
    resourceId: string,
  ): Promise<{ resource_id: string; account: string; ended: readonly string[] }>
  /** Returns the link of a secret; undefined when it is unknown, withdrawn or over. */
  open(secret: string): Promise<OpenLink | undefined>
  /** Returns the response of the operation that shows the resource to its owner. */
  read(link: OpenLink): Promise<GatewayResponse>
}
