/** Hears every answer of a seed, and knows which ones no service may give. */
import { type ErrorCode, ERRORS } from '../../src/core/errors.ts'
import type { GatewayResponse } from '../../src/gateway/request.ts'
import type { SimulatedPerson } from './town.ts'

/** A value that one client at a time changes and others read. */
export type Register = {
  /** Begins a change; `at` is the order of this moment. */
  begin(value: string, at: number): number
  /** Ends it: it was acknowledged or rejected. */
  end(change: number, at: number, isDone: boolean): void
  isBusy(): boolean
  size(): number
  /** Checks a value that was read between two moments. One that was only guessed from a response tells later reads nothing. */
  read(value: string, sent: number, heard: number, how?: { guessed: boolean }): void
}

/** A response that must be in the store, word for word. */
export type AcknowledgedResponse = { status: number; body: string }

export type ObservedCall = {
  person: SimulatedPerson
  operation: string
  input: Record<string, unknown>
  key: string | undefined
  answer: GatewayResponse
}

export type Witness = {
  fault(text: string): void
  faults: string[]
  register(name: string): Register
  hear(hearing: ObservedCall): void
  /** By account, operation and key. */
  acknowledged: ReadonlyMap<string, AcknowledgedResponse>
  /** Returns the ids that accounts other than this one got under a field of a response. */
  ownedByOthers(person: SimulatedPerson, member: string): string[]
}

/** The operations that make something that only its owner sees, and the field that names it. */
export const MAKES: Readonly<Record<string, string>> = {
  create_shipment: 'tracking_number',
  place_food_order: 'order_id',
  request_ride: 'ride_id',
}

/** The ids that only their owner sees. */
const PRIVATE_ID = /\b(?:ord|rid|ride)_[0-9a-z]{26}\b|\bZ[A-Z]\d{9}GB\b/g

/** Returns a witness that has heard no response yet. `count` is told what its registers checked. */
export function makeWitness(count: (name: string) => void): Witness {
  const faults: string[] = []
  const registers = new Map<string, Register>()
  const acknowledged = new Map<string, AcknowledgedResponse>()
  const owners = new Map<string, { accountId: string; member: string }>()
  const fault = (text: string): void => void faults.push(text)

  /** The same key has the same response in every byte. */
  function checkKey(
    { person: { accountId }, operation, answer: { status, body } }: ObservedCall,
    key: string,
  ): void {
    if (!isStored(status, body)) return
    const name = `${accountId} ${operation} ${key}`
    const first = acknowledged.get(name)
    if (first === undefined) acknowledged.set(name, { status, body })
    else if (first.status !== status || first.body !== body)
      fault(`${operation} ${key} was answered ${first.body}, and later ${body}`)
  }

  function checkOwners({
    person: { accountId, handle, does },
    operation,
    answer: { body },
  }: ObservedCall): void {
    const member = MAKES[operation]
    if (member !== undefined) {
      const id = String((JSON.parse(body) as Record<string, unknown>)[member])
      const owner = owners.get(id)
      if (owner !== undefined && owner.accountId !== accountId) fault(`${id} was made twice`)
      owners.set(id, { accountId, member })
    }
    // A store sees the orders of its customers.
    if (does === 'sells') return
    for (const [id] of body.matchAll(PRIVATE_ID)) {
      const owner = owners.get(id)
      if (owner !== undefined && owner.accountId !== accountId) fault(`${operation} shows ${id} to ${handle}`)
    }
  }

  /** Every client may do what it does, and says it well. */
  function checkRefusal({ operation, answer: { status, body } }: ObservedCall): void {
    if ([400, 401, 403].includes(status) && !body.includes('"membership_required"'))
      fault(`${operation} is refused: ${body}`)
  }

  return {
    fault,
    faults,
    acknowledged,
    register(name) {
      const known = registers.get(name) ?? makeRegister(name, fault, count)
      registers.set(name, known)
      return known
    },
    hear(hearing) {
      if (hearing.key !== undefined) checkKey(hearing, hearing.key)
      if (hearing.answer.status < 300) checkOwners(hearing)
      else checkRefusal(hearing)
    },
    ownedByOthers: ({ accountId }, member) =>
      [...owners].flatMap(([id, owner]) =>
        owner.accountId !== accountId && owner.member === member ? [id] : [],
      ),
  }
}

/** Returns whether a response is kept under its key: success, and an error by the rules that stays one. */
function isStored(status: number, body: string): boolean {
  if (status < 300) return true
  const { code } = JSON.parse(body) as { code: ErrorCode }
  return (
    [402, 404, 409, 422].includes(status) &&
    code !== 'idempotency_key_reused' &&
    !('retryable' in ERRORS[code])
  )
}

function makeRegister(name: string, fault: (text: string) => void, count: (name: string) => void): Register {
  /** `ended` is when the change was acknowledged, or first read. */
  type Change = { value: string; begun: number; ended: number; isOver: boolean }
  const changes: Change[] = []
  let made = 0
  return {
    begin(value, at) {
      changes.push({ value, begun: at, ended: Infinity, isOver: false })
      made += 1
      return changes.length - 1
    },
    end(change, at, isDone) {
      const found = changes[change]
      if (found === undefined) return
      found.isOver = true
      if (isDone) found.ended = Math.min(found.ended, at)
      else changes.splice(change, 1)
    },
    isBusy: () => changes.at(-1)?.isOver === false,
    size: () => made,
    read(value, sent, heard, { guessed } = { guessed: false }) {
      const last = changes.findLastIndex(({ ended }) => ended < sent)
      const allowed = changes.slice(Math.max(0, last)).filter(({ begun }) => begun < heard)
      const found = allowed.find((change) => change.value === value)
      // A later read finds no older value.
      if (found !== undefined && !guessed) found.ended = Math.min(found.ended, heard)
      // Before the first acknowledged change the value that the town began with may be read, too.
      if (last === -1) return
      count(`read of the ${name.split(' ', 1)[0]} after a change`)
      if (found !== undefined) return
      fault(`the ${name} is read as ${value}, after ${allowed.map((change) => change.value).join(', then ')}`)
    },
  }
}
