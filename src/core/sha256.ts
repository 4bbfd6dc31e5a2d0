/**
 * SHA-256 (FIPS 180-4) in plain TypeScript. A command that only reads hashes a few hundred bytes; loading
 * `node:crypto` for them would take 5 ms, and loading a library 1 ms.
 */

/** The fractional parts of the cube roots of the first 64 primes. */
const K = words(
  `428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be
   550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa
   5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85
   2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3
   d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f
   682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`,
)

/** The fractional parts of the square roots of the first 8 primes. */
const START = words('6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19')

const BLOCK = 64
const schedule = new Int32Array(64)

/** Returns the hash of bytes, 32 bytes long. */
export function sha256(data: Uint8Array): Uint8Array {
  // The padding is a one bit, zeros, and the length in bits as a 64-bit number, up to a whole number of blocks.
  const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK)
  padded.set(data)
  padded[data.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29))
  view.setUint32(padded.length - 4, data.length << 3)

  const state = Int32Array.from(START)
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, view, at)
  const hash = new Uint8Array(32)
  const out = new DataView(hash.buffer)
  for (let word = 0; word < 8; word++) out.setInt32(word * 4, state[word] ?? 0)
  return hash
}

/** HMAC-SHA-256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK)
  block.set(key.length > BLOCK ? sha256(key) : key)
  const inner = sha256(
    join(
      block.map((byte) => byte ^ 0x36),
      data,
    ),
  )
  return sha256(
    join(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

type State = [a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number]

/** Adds one block to the state. */
function compress(state: Int32Array, view: DataView, at: number): void {
  expand(view, at)
  let [a, b, c, d, e, f, g, h] = state as Iterable<number> as State
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[t] ?? 0) + (schedule[t] ?? 0)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const sums: State = [a, b, c, d, e, f, g, h]
  for (const [word, sum] of sums.entries()) state[word] = (state[word] ?? 0) + sum
}

/** Computes the 64 words of the schedule from the 16 words of a block. */
function expand(view: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(at + t * 4)
  for (let t = 16; t < 64; t++) {
    const x = schedule[t - 15] ?? 0
    const y = schedule[t - 2] ?? 0
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    schedule[t] = (schedule[t - 16] ?? 0) + s0 + (schedule[t - 7] ?? 0) + s1
  }
}

/** Rotates a 32-bit word to the right. */
function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function words(hex: string): Int32Array {
  return Int32Array.from(hex.split(/\s+/), (word) => Number.parseInt(word, 16))
}
