/** The calls of shared links to the service in this process: who may make and end them, and what they lead to. */
import type { Db } from '../core/db.ts'
import { AppError, fromProblem } from '../core/errors.ts'
import { findResourceByIdPrefix } from '../core/resource.ts'
import { sharedPath } from '../core/shared-view.ts'
import { toTimestamp } from '../core/time.ts'
import { authenticate, resolveCaller } from '../gateway/credential.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayResponse, Credential } from '../gateway/request.ts'
import { load } from '../generated/registry.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'
import { createSharedLink, openSharedLink, withdrawSharedLinks } from '../oauth/shared-links.ts'

type Deps = { now(): number; random(count: number): Uint8Array }

type OpenLink = { id: string; account: string; kind: LivingName; resource: string }

/** Opens the calls of shared links. */
export function openShareBackend({ db, gateway }: { db: Db; gateway: Gateway }, { now, random }: Deps) {
  /** Returns the resource of a caller who may see it as its owner. Throws the error of the operation that shows it. */
  const own = async (credential: Credential | undefined, named: string) => {
    const kind = kindOf(named)
    const { operation, input } = readingOf(kind, named)
    const answer = await gateway.invoke({ operation, credential, input })
    const value = valueOf(answer)
    const account = await db.read(async (tx) => {
      const caller = await resolveCaller(tx, credential, now())
      return authenticate(credential, caller).account.account_id
    })
    return { kind, account, resource_id: String(value[RESOURCES[kind].id]) }
  }
  return {
    async share(credential: Credential | undefined, named: string) {
      const { kind, account, resource_id } = await own(credential, named)
      const shared = { account_id: account, kind: RESOURCES[kind].shared ?? kind, resource_id }
      const { secret, expiresAt } = await createSharedLink(db, shared, { machineNow: now(), random })
      return { resource_id, account, path: sharedPath(secret), expires_at: toTimestamp(expiresAt) }
    },
    async withdraw(credential: Credential | undefined, named: string) {
      const { account, resource_id } = await own(credential, named)
      return { resource_id, account, ended: await withdrawSharedLinks(db, resource_id) }
    },
    async open(secret: string) {
      const found = await openSharedLink(db, secret, now())
      if (found === undefined) return undefined
      const { secret_hash: id, account_id: account, kind, resource_id: resource } = found.link
      return { id, account, kind: kindOfWord(kind), resource }
    },
    async read({ account, kind, resource }: OpenLink) {
      const { operation, input } = readingOf(kind, resource)
      const loaded = await load(operation)
      const scopes = loaded === undefined ? [] : [loaded.operation.scope]
      return gateway.invoke({ operation, credential: { account, scopes }, input, uncounted: true })
    },
  }
}

function readingOf(kind: LivingName, id: string) {
  const { show = '', id: member } = RESOURCES[kind]
  return { operation: show, input: { [member]: id } }
}

/** Returns the kind of a resource by its id. An id without a known beginning is a tracking number. */
function kindOf(id: string): LivingName {
  const resource = findResourceByIdPrefix(RESOURCES, id) ?? RESOURCES.shipment
  if (resource.shared !== undefined) return kindOfWord(resource.shared)
  throw new AppError('invalid_request', `A ${resource.noun} has no page to share.`)
}

/** Returns the kind that a stored word stands for. */
function kindOfWord(word: string): LivingName {
  const names = Object.keys(RESOURCES) as LivingName[]
  const found = names.find((name) => RESOURCES[name].shared === word)
  if (found === undefined) throw new Error(`no kind is called ${word}`)
  return found
}

function valueOf({ status, body }: GatewayResponse): Readonly<Record<string, unknown>> {
  const value = JSON.parse(body) as Readonly<Record<string, unknown>>
  if (status >= 400)
    throw fromProblem(value) ?? new AppError('internal_error', 'The response cannot be read.')
  return value
}
