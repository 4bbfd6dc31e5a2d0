/** The status of a printer in ESC/POS and in StarPRNT: whether it can print, and whether a paper is printed. */
import type { PrinterLanguage } from '../../../../rendering/receipt-format.ts'

export type StatusReader = {
  /** Asks for the state at once, and for an answer that comes once all data before it are printed. */
  ask: Uint8Array
  /** Follows a paper: its answer says that the paper is printed. */
  end: Uint8Array
  /** Asks for the state again while a paper is printed. */
  poll: Uint8Array
  read(chunk: Uint8Array): void
  /** Returns whether all answers to `ask` came, or one that says why nothing can be printed. */
  isAnswered(): boolean
  /** Returns why it cannot print; undefined while it can, or does not tell. */
  findTrouble(): string | undefined
  /** Returns whether it can tell that a paper is printed. Valid before the paper. */
  canConfirm(): boolean
  /** Returns whether it said that the paper is printed. */
  isPrinted(): boolean
}

export const makeStatusReader: Readonly<Record<PrinterLanguage, () => StatusReader>> = {
  escpos: makeEscposReader,
  starprnt: makeStarReader,
}

/** DLE EOT n is answered at once: n is 1 for the printer, 2 for the cause of being offline, 4 for the paper. */
const STATES = [1, 2, 4] as const
type EscposState = (typeof STATES)[number]
const REAL_TIME = STATES.flatMap((n) => [0x10, 0x04, n])
/** GS r 1 is answered in its turn, after what was sent before it. */
const IN_TURN = [0x1d, 0x72, 0x01]

/** The bits of an answer to DLE EOT, by what they say; the first that is set counts. */
const TROUBLES: readonly (readonly [state: EscposState, bits: number, why: string])[] = [
  [2, 0x04, 'cover open'],
  [4, 0x60, 'out of paper'],
  [2, 0x20, 'out of paper'],
  [2, 0x40, 'an error of the printer'],
  [1, 0x08, 'offline'],
]

function makeEscposReader(): StatusReader {
  const states = new Map<EscposState, number>()
  let asked: EscposState[] = [...STATES]
  let inTurn = 0
  const findTrouble = (): string | undefined =>
    TROUBLES.find(([state, bits]) => ((states.get(state) ?? 0) & bits) !== 0)?.[2]
  return {
    ask: Uint8Array.from([...REAL_TIME, ...IN_TURN]),
    end: Uint8Array.from(IN_TURN),
    poll: Uint8Array.from(REAL_TIME),
    read(chunk) {
      for (const byte of chunk) {
        // Bits 1 and 4 are set in every answer to DLE EOT, bit 4 in none to GS r.
        if ((byte & 0x93) === 0x12) {
          const [state = 1, ...rest] = asked
          states.set(state, byte)
          asked = rest.length === 0 ? [...STATES] : rest
        } else if ((byte & 0x90) === 0) inTurn += 1
      }
    },
    isAnswered: () => inTurn > 0 || (states.size === STATES.length && findTrouble() !== undefined),
    findTrouble,
    canConfirm: () => inTurn > 0,
    isPrinted: () => inTurn > 1,
  }
}

/** ESC ACK SOH is answered at once by a block of states. */
const STAR_STATE = [0x1b, 0x06, 0x01]
/** ETB adds one to the counter of the block once all before it is printed. */
const ETB = 0x17

/** The bits of the block, by the byte in it. */
const STAR_TROUBLES: readonly (readonly [at: number, bits: number, why: string])[] = [
  [2, 0x20, 'cover open'],
  [5, 0x08, 'out of paper'],
  [3, 0x6c, 'an error of the printer'],
  [2, 0x08, 'offline'],
]
/** The byte of the counter, and its bits from the lowest. */
const COUNTER_AT = 7
const COUNTER_BITS = [0x02, 0x04, 0x08, 0x20, 0x40]

function makeStarReader(): StatusReader {
  let rest: number[] = []
  let block: readonly number[] | undefined
  let before: number | undefined
  const countOf = (given: readonly number[]): number =>
    COUNTER_BITS.reduce((sum, bit, at) => sum + (((given[COUNTER_AT] ?? 0) & bit) === 0 ? 0 : 1 << at), 0)
  const takeBlock = (taken: readonly number[]): void => {
    block = taken
    if (taken.length > COUNTER_AT) before ??= countOf(taken)
  }
  return {
    ask: Uint8Array.from(STAR_STATE),
    end: Uint8Array.from([ETB, ...STAR_STATE]),
    poll: Uint8Array.from(STAR_STATE),
    read(chunk) {
      rest.push(...chunk)
      for (;;) {
        const [head = 0] = rest
        const length = ((head >> 1) & 0x07) | ((head >> 2) & 0x18)
        if (rest.length === 0 || rest.length < length) return
        // A byte that begins no block.
        if ((head & 0x91) !== 0x01 || length < COUNTER_AT) rest = rest.slice(1)
        else {
          takeBlock(rest.slice(0, length))
          rest = rest.slice(length)
        }
      }
    },
    isAnswered: () => block !== undefined,
    findTrouble: () => STAR_TROUBLES.find(([at, bits]) => ((block?.[at] ?? 0) & bits) !== 0)?.[2],
    canConfirm: () => before !== undefined,
    isPrinted: () => block !== undefined && before !== undefined && countOf(block) !== before,
  }
}
