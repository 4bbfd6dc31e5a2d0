/** A whole terminal to draw on, given back as it was. Only lines that changed are written, so that nothing flickers. */
import type { Io } from '../../../cli/io.ts'

export type Canvas = {
  size(): { columns: number; rows: number }
  draw(lines: readonly string[]): void
  /** Draws everything again, over what others have left there. */
  wipe(): void
  ring(): void
  close(): void
}

/** The other screen without a cursor; and back. */
const OPEN = '\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J'
const CLOSE = '\x1b[?25h\x1b[?1049l'
/** Terminals that know it show what is between at once; others pass it over. */
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'

/** `redraw` is called when everything must be drawn again, as after the terminal has another size. */
export function openCanvas(io: Io, redraw: () => void): Canvas {
  const output = io.terminal().output as Partial<NodeJS.WriteStream> & NodeJS.WritableStream
  let drawn: readonly string[] = []
  const resized = () => {
    drawn = []
    void io.stdout.write('\x1b[2J')
    redraw()
  }
  output.on('resize', resized)
  void io.stdout.write(OPEN)
  return {
    size: () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 }),
    draw(lines) {
      let changes = ''
      for (let row = 0; row < Math.max(lines.length, drawn.length); row += 1) {
        const line = lines[row] ?? ''
        if (line !== drawn[row]) changes += `\x1b[${row + 1};1H${line}\x1b[K`
      }
      drawn = [...lines]
      if (changes !== '') void io.stdout.write(BEGIN + changes + END)
    },
    wipe: resized,
    ring: () => void io.stdout.write('\x07'),
    close() {
      output.off('resize', resized)
      void io.stdout.write(CLOSE)
    },
  }
}
