import { describe, expect, test } from 'vitest'
import { barLine, startProgressBar, startSpinner } from '../../../src/cli/output/progress.ts'
import { measureTextWidth } from '../../../src/cli/output/text.ts'
import { memoryIo } from '../../support/memory-io.ts'

function run(
  io: ReturnType<typeof memoryIo>,
  options: { accessible?: boolean; quiet?: boolean; total?: number } = {},
) {
  let time = 0
  const total = options.total ?? 100
  const progress = startProgressBar({ io, label: 'Sending parcels', now: () => time, ...options, total })
  for (let done = 1; done <= total; done++) {
    time += 50
    progress.update(done)
  }
  progress.stop()
  return io.err()
}

describe('on a terminal', () => {
  test('redraws one line and removes it at the end', () => {
    const drawn = run(memoryIo({ tty: true, columns: 100 }))
    expect(drawn).not.toContain('\n')
    expect(drawn.startsWith('\rSending parcels ━━━━')).toBe(true)
    expect(drawn.endsWith('\r\x1b[K')).toBe(true)
    expect(drawn).toContain('100/100')
  })

  test('shows nothing for work within a second', () => {
    expect(run(memoryIo({ tty: true }), { total: 15 })).toBe('')
  })

  test('does not redraw at every step', () => {
    expect(run(memoryIo({ tty: true }), { total: 100 }).split('\r').length).toBeLessThan(60)
  })

  test.each([20, 40])('fits %i columns', (columns) => {
    const drawn = run(memoryIo({ tty: true, columns }))
    for (const line of drawn.replaceAll('\x1b[K', '').split('\r'))
      expect(measureTextWidth(line)).toBeLessThan(columns)
  })
})

describe('elsewhere', () => {
  test('a log gets a line for each tenth but the last, after which the summary follows', () => {
    const lines = run(memoryIo()).trimEnd().split('\n')
    expect(lines[0]).toBe('Sending parcels: 20 of 100 (20%)')
    expect(lines.at(-1)).toBe('Sending parcels: 90 of 100 (90%)')
    expect(lines).toHaveLength(8)
  })
  test('a screen reader gets lines, too', () => {
    const said = run(memoryIo({ tty: true }), { accessible: true })
    for (const sign of ['\r', '\x1b', '━']) expect(said).not.toContain(sign)
  })
  test('--quiet gets nothing', () => {
    expect(run(memoryIo(), { quiet: true }) + run(memoryIo({ tty: true }), { quiet: true })).toBe('')
  })
  test('shows nothing for no work', () => {
    const io = memoryIo({ tty: true })
    const progress = startProgressBar({ io, label: 'x', total: 0, now: () => 0 })
    progress.update(0)
    progress.stop()
    expect(io.err()).toBe('')
  })
})

test('the bar shows how far, how fast and how long', () => {
  expect(barLine({ label: 'Sending', done: 1000, total: 4000, elapsed: 2000 })).toBe(
    'Sending ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 1000/4000  500/s  6 s left',
  )
  expect(barLine({ label: 'Sending', done: 1, total: 1000, elapsed: 2000 })).toContain(
    '0.5/s  33 min 18 s left',
  )
  expect(barLine({ label: 'Sending', done: 1, total: 100_000, elapsed: 1000 })).toContain('27 h 46 min left')
  expect(barLine({ label: 'Sending', done: 0, total: 10, elapsed: 2000 })).not.toContain('left')
})

describe('a spinner', () => {
  const spin = (
    io: ReturnType<typeof memoryIo>,
    ticks: number,
    options: { quiet?: boolean; accessible?: boolean } = {},
  ) => {
    let tick = (): void => undefined
    let halted = false
    const every = (_: number, call: () => void) => {
      tick = call
      return () => {
        halted = true
      }
    }
    const spinner = startSpinner({ io, label: 'Waiting', every, ...options })
    for (let at = 0; at < ticks; at++) tick()
    spinner.stop()
    return { drawn: io.err(), halted }
  }

  test('turns on a terminal after a second and leaves nothing behind', () => {
    expect(spin(memoryIo({ tty: true }), 12).drawn).toBe('')
    const { drawn, halted } = spin(memoryIo({ tty: true }), 20)
    expect(drawn).toContain('\r⠋ Waiting')
    expect(drawn.endsWith('\r\x1b[K')).toBe(true)
    expect(halted).toBe(true)
  })

  test('turns nowhere else', () => {
    expect(spin(memoryIo(), 20).drawn).toBe('')
    expect(spin(memoryIo({ tty: true }), 20, { quiet: true }).drawn).toBe('')
    expect(spin(memoryIo({ tty: true }), 20, { accessible: true }).drawn).toBe('')
  })
})
