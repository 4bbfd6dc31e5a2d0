/**
 * A ticket printer at a port of this machine. It understands the commands of ESC/POS and StarPRNT that dray sends, tells its state as
 * printers do, and keeps what it printed: as text, and as a picture. A command that it does not know fails the test.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { makeTypesetter } from '../../src/rendering/typesetter.ts'
import { afterFile } from './after-file.ts'

/**
 * `half`: takes a part of the next paper and says nothing more. `cut`: takes a part and closes the connection. `mute`: prints, but
 * never tells anything.
 */
export type PrinterMood = 'ready' | 'paper_out' | 'cover_open' | 'half' | 'cut' | 'mute'

type Style = { wide: number; high: number; bold: boolean; inverted: boolean; centred: boolean }
type Cell = Style & { letter: string }
type Row = { cells: Cell[] } | { wide: number; high: number; bits: Uint8Array; byColumn: boolean }

/** One piece of paper, up to its cut. A torn one ended before. */
export type PaperStrip = { rows: Row[]; isTorn: boolean; beeps: number; pulses: number }

export type TicketPrinter = {
  /** For `--printer`. */
  address: string
  papers: PaperStrip[]
  /** The text of each paper, with a line break after each of its lines. */
  texts(): string[]
  setMood(mood: PrinterMood): void
  /** Resolves once it took so many more bytes. */
  whenTaken(bytes: number): Promise<void>
  /** Switches it off: nothing listens at its port. */
  switchOff(): Promise<void>
  switchOn(): Promise<void>
  draw(strip: PaperStrip): Promise<Buffer>
}

type PrinterOptions = { language?: 'escpos' | 'starprnt'; dots?: 576 | 384; port?: number }

/** A paper of which a part is taken is cut off after so many bytes. */
const PART_BYTES = 220
const USUAL: Style = { wide: 1, high: 1, bold: false, inverted: false, centred: false }

/** Starts a printer, which ends with the file of the test. */
export async function startTicketPrinter({
  language = 'escpos',
  dots = 576,
  port = 0,
}: PrinterOptions = {}): Promise<TicketPrinter> {
  const papers: PaperStrip[] = []
  const machine = { mood: 'ready' as PrinterMood, left: Infinity, etb: 0 }
  let strip: PaperStrip = emptyStrip()
  const links = new Set<Socket>()
  const waiting: { left: number; resolve(): void }[] = []
  const countByte = (): void => {
    for (const each of waiting) if (--each.left === 0) each.resolve()
  }
  const cutPaper = (isTorn: boolean): void => {
    if (strip.rows.length > 0) papers.push({ ...strip, isTorn })
    strip = emptyStrip()
  }
  const server = createServer((socket) => {
    links.add(socket)
    socket.on('close', () => links.delete(socket))
    socket.on('error', () => undefined)
    const interpreter = (language === 'escpos' ? readEscpos : readStar)({
      machine,
      strip: () => strip,
      cut() {
        cutPaper(false)
        return undefined
      },
      tell(bytes) {
        if (machine.mood !== 'mute' && machine.left > 0) socket.write(Uint8Array.from(bytes))
        return undefined
      },
    })
    socket.on('data', (chunk: Uint8Array) => {
      for (const byte of chunk) {
        if (machine.left <= 0) return
        interpreter(byte)
        countByte()
        if (--machine.left <= 0) {
          cutPaper(true)
          if (machine.mood === 'cut') {
            machine.left = Infinity
            machine.mood = 'ready'
            socket.destroy()
            return
          }
        }
      }
    })
  })
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(port)
  const own = (server.address() as AddressInfo).port
  const switchOff = async (): Promise<void> => {
    for (const socket of links) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  afterFile(switchOff)
  return {
    address: `tcp://127.0.0.1:${own}`,
    papers,
    texts: () => papers.map(textOf),
    setMood(mood) {
      machine.mood = mood
      machine.left = mood === 'half' || mood === 'cut' ? PART_BYTES : Infinity
    },
    whenTaken: (bytes) => new Promise((resolve) => void waiting.push({ left: bytes, resolve })),
    switchOff,
    switchOn: () => listen(own),
    draw: (drawn) => drawStrip(drawn, dots),
  }
}

function emptyStrip(): PaperStrip {
  return { rows: [], isTorn: false, beeps: 0, pulses: 0 }
}

function textOf({ rows }: PaperStrip): string {
  return rows
    .map((row) =>
      'cells' in row
        ? row.cells
            .map(({ letter }) => letter)
            .join('')
            .trim()
        : '[picture]',
    )
    .filter((line) => line !== '')
    .join('\n')
}

type Parts = {
  machine: { mood: PrinterMood; etb: number }
  strip(): PaperStrip
  cut(): undefined
  tell(bytes: readonly number[]): undefined
}

/** Takes bytes one by one; `need` collects those of a command whose first ones are known. */
type Command = {
  /** Returns how many bytes follow, by those that came; undefined once it is complete. */
  rest(args: readonly number[]): number
  run(args: readonly number[], style: Style): Partial<Style> | undefined
}

const isOffline = (mood: PrinterMood): boolean => mood === 'paper_out' || mood === 'cover_open'

/** Collects the bytes of commands and text; both languages differ in their tables only. */
function makeInterpreter(
  { machine, strip }: Parts,
  commands: Readonly<Record<string, Command>>,
  atOnce: Readonly<Record<string, Command>>,
): (byte: number) => void {
  let style = { ...USUAL }
  let line: Cell[] = []
  let held: number[] = []
  const table = new TextDecoder('windows-1252')
  const endLine = (): void => {
    strip().rows.push({ cells: line })
    line = []
  }
  const tryRun = (table: Readonly<Record<string, Command>>): 'ran' | 'more' | 'none' => {
    const hex = held.map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const found = Object.entries(table).find(([start]) => hex.startsWith(start))
    if (found === undefined)
      return Object.keys(table).some((start) => start.startsWith(hex)) ? 'more' : 'none'
    const [start, command] = found
    const args = held.slice(start.length / 2)
    if (args.length < command.rest(args)) return 'more'
    const change = command.run(args, style)
    // A new start.
    if (change !== undefined) style = { ...style, ...change }
    return 'ran'
  }
  return (byte) => {
    held.push(byte)
    const [first = 0] = held
    const now = tryRun(atOnce)
    if (now === 'ran') return void (held = [])
    if (now === 'more') return
    // An offline printer keeps the rest for later; here it is lost, as where a printer is switched off and on.
    if (isOffline(machine.mood)) return void (held = [])
    if (first >= 0x20) {
      for (const each of held) line.push({ ...style, letter: table.decode(Uint8Array.of(each)) })
      held = []
      return
    }
    if (first === 0x0a) {
      endLine()
      held = []
      return
    }
    if (first === 0x0d || first === 0x18) return void (held = [])
    const result = tryRun(commands)
    if (result === 'ran') held = []
    if (result === 'none')
      throw new Error(
        `the printer does not know the command ${held.map((each) => each.toString(16)).join(' ')}`,
      )
  }
}

const fixed = (count: number, run: Command['run']): Command => ({ rest: () => count, run })

function readEscpos(parts: Parts): (byte: number) => void {
  const { machine, strip, cut, tell } = parts
  const state = (n = 0): number => {
    if (n === 1) return isOffline(machine.mood) ? 0x1a : 0x12
    if (n === 2) return machine.mood === 'cover_open' ? 0x16 : machine.mood === 'paper_out' ? 0x32 : 0x12
    return machine.mood === 'paper_out' ? 0x72 : 0x12
  }
  return makeInterpreter(
    parts,
    {
      '1b40': fixed(0, () => ({ ...USUAL })),
      '1c2e': fixed(0, () => undefined),
      '1b4d': fixed(1, () => undefined),
      '1b74': fixed(1, ([table]) => assertTable(table, 16)),
      '1b61': fixed(1, ([align]) => ({ centred: align === 1 })),
      '1b45': fixed(1, ([on]) => ({ bold: on === 1 })),
      '1d42': fixed(1, ([on]) => ({ inverted: on === 1 })),
      '1d21': fixed(1, ([size = 0]) => ({ wide: (size >> 4) + 1, high: (size & 0x0f) + 1 })),
      '1b33': fixed(1, () => undefined),
      '1b32': fixed(0, () => undefined),
      '1b42': fixed(2, ([times = 0]) => void (strip().beeps += times)),
      '1b70': fixed(3, () => void (strip().pulses += 1)),
      '1d7630': {
        rest: ([, low = 0, high = 0, rows = 0, more = 0, ...bits]) =>
          bits.length === 0 && rows === 0 ? 5 : 5 + (low + high * 256) * (rows + more * 256),
        run([, low = 0, high = 0, rows = 0, more = 0, ...bits]) {
          const wide = (low + high * 256) * 8
          strip().rows.push({ wide, high: rows + more * 256, bits: Uint8Array.from(bits), byColumn: false })
          return undefined
        },
      },
      '1d56': fixed(1, () => cut()),
      '1d72': fixed(1, () => tell([machine.mood === 'paper_out' ? 0x0c : 0])),
    },
    { '1004': fixed(1, ([n]) => tell([state(n)])) },
  )
}

function readStar(parts: Parts): (byte: number) => void {
  const { machine, strip, cut, tell } = parts
  const block = (): number[] => {
    const counter = [0x02, 0x04, 0x08, 0x20, 0x40].reduce(
      (sum, bit, at) => sum | (machine.etb & (1 << at) ? bit : 0),
      0,
    )
    const isOpen = machine.mood === 'cover_open'
    return [
      0x23,
      0x86,
      (isOpen ? 0x20 : 0) | (isOffline(machine.mood) ? 0x08 : 0),
      0,
      0,
      machine.mood === 'paper_out' ? 0x08 : 0,
      0,
      counter,
      0,
    ]
  }
  return makeInterpreter(
    parts,
    {
      '1b40': fixed(0, () => ({ ...USUAL })),
      '1b1e46': fixed(1, () => undefined),
      '1b1d74': fixed(1, ([table]) => assertTable(table, 32)),
      '1b1d61': fixed(1, ([align]) => ({ centred: align === 1 })),
      '1b45': fixed(0, () => ({ bold: true })),
      '1b46': fixed(0, () => ({ bold: false })),
      '1b34': fixed(0, () => ({ inverted: true })),
      '1b35': fixed(0, () => ({ inverted: false })),
      '1b69': fixed(2, ([high = 0, wide = 0]) => ({ wide: wide + 1, high: high + 1 })),
      '1b7a': fixed(1, () => undefined),
      '1b30': fixed(0, () => undefined),
      '1b1d1911': fixed(3, () => undefined),
      '1b1d1912': fixed(3, ([, times = 0]) => void (strip().beeps += times)),
      '1b07': fixed(3, () => void (strip().pulses += 1)),
      '1b1d50': fixed(1, () => undefined),
      '1b58': {
        rest: ([low = 0, high = 0]) => 2 + (low + high * 256) * 3,
        run([low = 0, high = 0, ...bits]) {
          strip().rows.push({ wide: low + high * 256, high: 24, bits: Uint8Array.from(bits), byColumn: true })
          return undefined
        },
      },
      '1b64': fixed(1, () => cut()),
      '17': fixed(0, () => void (machine.etb = (machine.etb + 1) % 32)),
    },
    { '1b0601': fixed(0, () => tell(block())) },
  )
}

function assertTable(table: number | undefined, expected: number): undefined {
  if (table !== expected) throw new Error(`the printer has another table than ${expected}: ${table}`)
}

const CELL = { wide: 12, high: 24 }

/** Returns the paper as a PNG: letters in the cells of the printer, pictures dot by dot. */
async function drawStrip({ rows, isTorn }: PaperStrip, dots: number): Promise<Buffer> {
  const heights = rows.map((row) =>
    'cells' in row ? Math.max(1, ...row.cells.map(({ high }) => high)) * CELL.high + 6 : row.high,
  )
  const margin = 24
  const canvas = createCanvas(dots + 2 * margin, heights.reduce((sum, each) => sum + each, 0) + 2 * margin)
  const context = canvas.getContext('2d')
  context.fillStyle = isTorn ? '#fdd' : '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  const typesetter = makeTypesetter()
  let y = margin
  for (const [at, row] of rows.entries()) {
    if ('cells' in row) drawCells(context, row.cells, { x: margin, y, dots, typesetter })
    else drawBits(context, row, margin, y)
    y += heights[at] ?? 0
  }
  return canvas.encode('png')
}

type CellPlace = { x: number; y: number; dots: number; typesetter: ReturnType<typeof makeTypesetter> }

function drawCells(
  context: SKRSContext2D,
  cells: readonly Cell[],
  { x, y, dots, typesetter }: CellPlace,
): void {
  const width = cells.reduce((sum, { wide }) => sum + wide * CELL.wide, 0)
  let at = x + (cells[0]?.centred === true ? Math.max(0, (dots - width) / 2) : 0)
  for (const { letter, wide, high, bold, inverted } of cells) {
    const [cellWidth, cellHeight] = [wide * CELL.wide, high * CELL.high]
    if (inverted) {
      context.fillStyle = '#000'
      context.fillRect(at, y, cellWidth, cellHeight)
    }
    context.fillStyle = inverted ? '#fff' : '#000'
    const size = cellHeight * 0.85
    const { lines } = typesetter.fit({
      kind: 'text',
      lines: [letter],
      x: 0,
      y: 0,
      width: cellWidth * 3,
      height: cellHeight * 2,
      size: (size * 72) / 25.4,
      least: 1,
      bold,
    })
    const [line] = lines
    if (line !== undefined) {
      context.save()
      // A printer's letters are as wide as their cell.
      context.translate(at, y + cellHeight * 0.8)
      context.scale(Math.min(1.2, (cellWidth * 0.9) / Math.max(line.width, 1)), 1)
      typesetter.drawLine(context as never, line, { x: 0, baseline: 0, size })
      context.restore()
    }
    at += cellWidth
  }
}

function drawBits(
  context: SKRSContext2D,
  { wide, high, bits, byColumn }: Extract<Row, { bits: Uint8Array }>,
  left: number,
  top: number,
): void {
  context.fillStyle = '#000'
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = byColumn ? x * (high / 8) + (y >> 3) : y * (wide / 8) + (x >> 3)
      const bit = byColumn ? y & 7 : x & 7
      if (((bits[at] ?? 0) & (0x80 >> bit)) !== 0) context.fillRect(left + x, top + y, 1, 1)
    }
}

/** Writes the picture of each paper of a printer into the folder of `DRAY_SHOTS`, for people who look. */
export async function saveTicketPictures({ papers, draw }: TicketPrinter, name: string): Promise<void> {
  const folder = process.env['DRAY_SHOTS']
  if (folder === undefined) return
  for (const [at, strip] of papers.entries())
    await writeFile(join(folder, `ticket-${name}-${at + 1}.png`), await draw(strip))
}
