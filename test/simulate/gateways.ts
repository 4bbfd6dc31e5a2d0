/** The gateways of a seed: simulated processes over one store, which are killed and started again. */
import type { GatewayResponse, GatewayRequest } from '../../src/gateway/request.ts'
import type { Service } from '../../src/host/embedded.ts'
import type { DatabaseSync } from './disk.ts'
import { makeDisk, SIMULATED } from './faulty-disk.ts'
import type { SimulatedMachine, Process } from './machine.ts'
import type * as service from './service.ts'

/** The bundle of `service.ts`, loaded for one process. */
export type Bundle = typeof service

/** A call of an operation, or of the sandbox's control. */
export type SimulatedCall = GatewayRequest | { control: string; input: Record<string, unknown> }

/** A place where a gateway runs; after a kill another process takes it. */
export type GatewaySlot = {
  /** Carries a call out. Returns undefined when no response comes back. */
  send(sent: SimulatedCall): Promise<GatewayResponse | undefined>
  /** Ends the process in good order, once one runs. */
  close(): Promise<void>
}

type Gateway = {
  name: string
  machine: SimulatedMachine
  bundle: Bundle
  store: string
  /** Carries messages. It is never killed. */
  network: Process
  /** The process that runs, and its service once that is open. */
  running?: { process: Process; connections: DatabaseSync[]; service?: Service }
  /** Is told what no service may meet. */
  onFault(fault: string): void
}

type RunningGateway = NonNullable<Gateway['running']>

/** Failures of a service whose disk fails, or whose store another process holds. */
const FORESEEN = new RegExp(`${SIMULATED}|DrayError: (?:The store|The disk|Another process has held)`)
const PATIENCE_MS = 5000
const TICK_MS = 1000
/** The longest time between the end of a process and the start of the next one. */
const RESTART_MS = 500
const TRAVEL_MS = 3

/** Starts a gateway on a store. */
export function openGatewaySlot(gateway: Omit<Gateway, 'network'>): GatewaySlot {
  const { machine, name } = gateway
  const own: Gateway = { ...gateway, network: machine.start(`network of ${name}`) }
  start(own)
  return {
    send: (sent) => send(own, sent),
    async close() {
      let open = openService(own)
      for (; open === undefined; open = openService(own)) await wait(own, 10)
      await open.service.db.close()
      for (const each of open.connections) each.bury()
    },
  }
}

/** Returns the service, if one is open. */
function openService({ running }: Gateway): Required<RunningGateway> | undefined {
  if (running?.service === undefined || !running.process.isAlive()) return undefined
  return { ...running, service: running.service }
}

function start(gateway: Gateway): void {
  const { machine, bundle, network, name, onFault } = gateway
  const process = machine.start(name)
  const connections: DatabaseSync[] = []
  const running: RunningGateway = { process, connections }
  gateway.running = running
  bundle.setDisk(makeDisk(machine, process, connections, onFault))
  process.onEnd(() => {
    for (const each of connections) each.bury()
    network.loop.later(() => start(gateway), machine.random.number(RESTART_MS))
  })
  process.loop.turn(() => void open(gateway, running))
}

async function open(gateway: Gateway, running: RunningGateway): Promise<void> {
  const { machine, bundle, store, name, onFault } = gateway
  const { process } = running
  try {
    running.service = await bundle.openService({ store }, partsOf(gateway, process))
    machine.note(`${name} is open`)
    beat(gateway, process, running.service)
  } catch (error) {
    if (process.isAlive() && !FORESEEN.test(String(error)))
      onFault(`${name} does not start: ${String(error)}`)
    process.kill('at its start')
  }
}

function partsOf({ machine, name, onFault }: Gateway, { loop }: Process) {
  const draw = (count: number) => new Uint8Array(count).map(() => machine.random.number(256))
  return {
    now: machine.now,
    random: draw,
    weakRandomBytes: draw,
    loop,
    env: {},
    sqlite: { patience: PATIENCE_MS },
    firstRun() {},
    debug(line: string) {
      if (!FORESEEN.test(line)) onFault(`${name} met a fault of its own: ${line}`)
    },
  }
}

/** Lets the world go on each second, as in a service that listens. */
function beat(gateway: Gateway, process: Process, { db }: Service): void {
  const { bundle, machine } = gateway
  const turn = (): void =>
    void bundle
      .runDueBatch(db, machine.now)
      .catch(() => machine.count('tick that failed'))
      .then(() => process.loop.later(turn, TICK_MS))
  process.loop.later(turn, TICK_MS)
}

async function send(gateway: Gateway, sent: SimulatedCall): Promise<GatewayResponse | undefined> {
  const { machine } = gateway
  const travel = () => wait(gateway, (TRAVEL_MS * machine.random.number(100)) / 100)
  await travel()
  if (machine.strikes(machine.rates.lost, 'lost request')) return undefined
  const running = openService(gateway)
  if (running === undefined) return undefined
  const { process } = running
  const answer = await new Promise<GatewayResponse | undefined>((resolve) => {
    process.onEnd(() => resolve(undefined))
    process.loop.turn(
      () => void carry(gateway, running, sent).then((given) => process.isAlive() && resolve(given)),
    )
  })
  await travel()
  return answer && machine.strikes(machine.rates.lost, 'lost answer') ? undefined : answer
}

async function carry(
  gateway: Gateway,
  { process, service: { gateway: own, db } }: Required<RunningGateway>,
  sent: SimulatedCall,
): Promise<GatewayResponse> {
  if (!('control' in sent)) return own.invoke(sent)
  const { bundle, name, onFault } = gateway
  try {
    const value = await bundle.invokeControl(db, sent.control, sent.input, partsOf(gateway, process))
    return { status: 200, headers: {}, body: JSON.stringify(value) }
  } catch (error) {
    // Each bundle has its own class of errors: the shape tells.
    const { entry } = error as { entry?: { status: number | null } }
    if (process.isAlive() && entry === undefined && !FORESEEN.test(String(error)))
      onFault(`${name} fails in ${sent.control}: ${String(error)}`)
    return { status: entry?.status ?? 500, headers: {}, body: JSON.stringify({ detail: String(error) }) }
  }
}

function wait({ network }: Gateway, ms: number): Promise<void> {
  return new Promise((resolve) => void network.loop.later(resolve, ms))
}
