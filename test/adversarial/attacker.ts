/**
 * The process of an attacker: makes one attack, reports it, and closes its connections on request or after some
 * minutes.
 */
import { ATTACKS } from './attacks.ts'
import type { Attack } from './attacks.ts'
import type { AttackTarget } from './malformed.ts'
import { makeRandom } from './random.ts'
import type { ConnectionTally } from './sockets.ts'

export type AttackOrder = AttackTarget & { port: number; attack: string; times: number; seed: number }

const MAX_ATTACK_MS = 280_000

const order = JSON.parse(process.argv[2] ?? '') as AttackOrder
const tally: ConnectionTally = {}
setTimeout(() => process.exit(1), MAX_ATTACK_MS)
process.once('disconnect', () => process.exit())
const held = await attackOf(order)({ ...order, random: makeRandom(order.seed), tally })
process.send?.('sent')
process.once('message', () => {
  for (const socket of held) socket.destroy()
  process.send?.(tally, () => process.exit())
})

function attackOf({ attack }: AttackOrder): Attack {
  const found = ATTACKS[attack]
  if (found === undefined) throw new Error(`There is no attack ${attack}.`)
  return found
}
