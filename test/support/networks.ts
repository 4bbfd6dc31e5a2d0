/** Hosts in network namespaces of their own, on one bridge. Needs root, and `ip` of Debian. */
import { execFileSync } from 'node:child_process'

export type Host = {
  /** The name of its namespace. */
  name: string
  address: string
  /** Takes the host off the network, or puts it back. */
  setConnected(connected: boolean): void
}

export type Network = {
  /** The first three numbers of every address. The tests have the address that ends with 1. */
  prefix: string
  hosts: Host[]
  /** Ends all that runs on the hosts too. */
  remove(): void
}

/** Makes a network of so many hosts. It is removed when this process ends, at the latest. */
export function makeNetwork(count: number): Network {
  const prefix = `10.213.${process.pid % 250}`
  const bridge = `dray${process.pid % 100_000}`
  ip(`link add ${bridge} type bridge`)
  ip(`addr add ${prefix}.1/24 dev ${bridge}`)
  ip(`link set ${bridge} up`)
  const hosts = Array.from({ length: count }, (_, at): Host => {
    const letter = 'abc'.charAt(at)
    const [name, link, address] = [`${bridge}${letter}`, `${bridge}v${letter}`, `${prefix}.${at + 2}`]
    ip(`netns add ${name}`)
    ip(`link add ${link} type veth peer name eth0 netns ${name}`)
    ip(`link set ${link} master ${bridge} up`)
    ip(`-n ${name} addr add ${address}/24 dev eth0`)
    ip(`-n ${name} link set eth0 up`)
    ip(`-n ${name} link set lo up`)
    const setConnected = (connected: boolean): void => ip(`link set ${link} ${connected ? 'up' : 'down'}`)
    return { name, address, setConnected }
  })
  const remove = (): void => {
    process.off('exit', remove)
    for (const host of hosts) {
      signalHost(host, 'KILL')
      ip(`netns del ${host.name}`, true)
    }
    ip(`link del ${bridge}`, true)
  }
  process.once('exit', remove)
  return { prefix, hosts, remove }
}

/** Signals every process of a host. */
export function signalHost({ name }: Host, signal: 'STOP' | 'CONT' | 'KILL'): void {
  // Twice, since a process may have started another one that the list did not have.
  const once = `ip netns pids ${name} | xargs -r kill -${signal}`
  execFileSync('sh', ['-c', `${once}; ${once}; true`], { stdio: 'ignore' })
}

function ip(words: string, mayFail = false): void {
  try {
    execFileSync('ip', words.split(' '), { stdio: 'ignore' })
  } catch (error) {
    if (!mayFail) throw error
  }
}
