/** Serves a sandbox over HTTP, to callers of this machine. */
import packageJson from '../../package.json' with { type: 'json' }
import { PROCESS_EVENT_LOOP } from '../core/event-loop.ts'
import { openDeviceBackend } from '../host/device-backend.ts'
import type { Service } from '../host/embedded.ts'
import { hostedOver } from '../host/hosting.ts'
import { listControls } from '../sandbox/control/index.ts'
import { startServer } from '../server/server.ts'

type ServedDeps = {
  now(): number
  random(count: number): Uint8Array
  /** Makes a control call of the sandbox. */
  control: (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>
}

/** Serves the sandbox at a free port. */
export async function serveSandbox(service: Service, { now, random, control: invoke }: ServedDeps) {
  const machine = {
    now,
    random,
    weakRandomBytes: random,
    elapsed: PROCESS_EVENT_LOOP.elapsed,
    version: packageJson.version,
  }
  const controlToken = `dray_ctl_${random(32).toHex()}`
  const hosted = await hostedOver(service, machine)
  const server = await startServer({
    ...hosted,
    sender: hosted.senderOf({ allowPrivate: true, note() {}, onError() {} }),
    control: { token: controlToken, calls: await listControls(), invoke },
    devices: openDeviceBackend(service, machine),
    host: '127.0.0.1',
    port: 0,
    log() {},
    onBug() {},
  })
  return { url: server.url, controlToken, close: () => server.close() }
}
