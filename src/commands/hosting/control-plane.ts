/** The control plane of a service that this process hosts: its token, its calls, and the page that approves devices. */
import { createReadStream } from 'node:fs'
import { serviceIdentity } from '../../cli/identity.ts'
import type { Runtime } from '../../cli/runtime.ts'
import type { PageName } from '../../core/pages.ts'
import type { Service } from '../../host/embedded.ts'
import type { RouteDeps } from '../../server/route.ts'

type ControlPlane = {
  control: NonNullable<RouteDeps['control']>
  /** The file of the control token, which only its owner can read. */
  tokenFile: string
  devices: NonNullable<RouteDeps['devices']>
  /**
   * Writes the token and store of the service on a port for clients on this machine; returns a function that removes
   * them.
   */
  announce(port: number): () => void
  /** Makes a link that lets one browser approve devices at a service with this address. */
  createLink(url: string): Promise<string>
  /** Makes a link that signs one browser in to a page, for an account. */
  createPageLink(
    url: string,
    input: { account: string; page: PageName | undefined },
  ): Promise<{ link: string; expiresIn: number }>
}

/** Opens the control plane of a store. Throws `file_error` when its token cannot be read or written. */
export async function openControlPlane(service: Service, runtime: Runtime): Promise<ControlPlane> {
  const [
    { announceService, controlTokenFile, ensureControlToken, findControlToken },
    { openDeviceBackend },
    { revokeAllApprovers },
    { invokeControl },
    { listControls },
    { loadSnapshot, saveSnapshot },
    { needsWorker, replaceInWorker },
    { makeDraftIn, spoolOf, removeStaleFiles },
  ] = await Promise.all([
    import('../../client/control-token.ts'),
    import('../../host/device-backend.ts'),
    import('../../host/hosting.ts'),
    import('../../sandbox/control/invoke.ts'),
    import('../../sandbox/control/index.ts'),
    import('../../sandbox/control/snapshot.ts'),
    import('../../host/replace-in-worker.ts'),
    import('../../host/stale-files.ts'),
  ])
  const { now, random, env, paths } = runtime
  const { db, store, requests } = service
  const parts = { now, random, env, requests }
  // The token file was deleted, or never made: approvals of an older token end.
  if (findControlToken(store, paths.state) === undefined) await revokeAllApprovers(service)
  removeStaleFiles(store, runtime)
  const token = ensureControlToken(store, paths.state, runtime)
  return {
    tokenFile: controlTokenFile(store, paths.state),
    control: {
      token,
      calls: await listControls(),
      invoke: (name, input) =>
        name === 'reset' && needsWorker(store)
          ? replaceInWorker({ store, now: now(), work: { reset: input } })
          : invokeControl(db, name, input, parts),
      snapshots: {
        newFile: () => makeDraftIn(spoolOf(paths), runtime),
        save: (keep) => saveSnapshot(db, runtime.now(), keep),
        load: (file) =>
          needsWorker(store, file)
            ? replaceInWorker({ store, now: now(), work: { load: file } })
            : loadSnapshot(db, parts, () => createReadStream(file)),
      },
    },
    devices: openDeviceBackend(service, runtime),
    announce: (port) => announceService(port, token, paths.state, identityOf(store, paths.state)),
    async createLink(url) {
      const { path } = await invokeControl(db, 'create_approval_link', {}, parts)
      return url + path
    },
    async createPageLink(url, { account, page }) {
      const input = { account, ...(page !== undefined && { page }) }
      const { path, expires_in } = await invokeControl(db, 'create_page_link', input, parts)
      return { link: url + path, expiresIn: expires_in }
    },
  }
}

/** Returns the identity of a store; undefined in memory, where two stores are never the same. */
function identityOf(store: string, stateFolder: string): string | undefined {
  if (store === ':memory:') return undefined
  return serviceIdentity({ kind: 'embedded', store, account: '' }, stateFolder)
}
