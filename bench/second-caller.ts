/** A thread that asks a service one small question after the other. At each message it sends its longest wait, and begins again. */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { ServiceAddress } from './calls.ts'

const { url, token } = workerData as ServiceAddress
const agent = new Agent({ keepAlive: true })
let longest = 0
parentPort?.on('message', () => {
  parentPort?.postMessage(longest)
  longest = 0
})
ask()

function ask(): void {
  const began = performance.now()
  const next = (): void => {
    longest = Math.max(longest, performance.now() - began)
    // A caller without pauses would take a processor from the service.
    setTimeout(ask, 2)
  }
  get(`${url}/v1/me/membership`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) =>
    response.resume().once('end', next),
  ).once('error', next)
}
