/**
 * The process of an attacker: makes one attack, reports it, and closes its connections on request or after some
 * minutes.
 */
import { ATTACKS } from './attacks.ts'
import type { Attack } from './attacks.ts'
import type { SiegeTarget } from './malformed.ts'
import { makeRandom } from './random.ts'
import type { Tally } from './sockets.ts'

export type AttackOrder = SiegeTarget & { port: number; attack: string; times: number; seed: number }

const LONGEST_MS = 280_000

const order = JSON.parse(process.argv[2] ?? '') as AttackOrder
const tally: Tally = {}
setTimeout(() => process.exit(1), LONGEST_MS)
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
