import { describe, expect, test } from 'vitest'
import { hasColour, makePaint, statusStyle } from '../../../src/cli/output/colour.ts'

describe('colour is decided per stream', () => {
  const rows: [string, { tty: boolean; env?: Record<string, string>; flag?: string }, boolean][] = [
    ['a terminal has it', { tty: true }, true],
    ['a pipe has none', { tty: false }, false],
    ['TERM=dumb has none', { tty: true, env: { TERM: 'dumb' } }, false],
    ['CLICOLOR=0 turns it off', { tty: true, env: { CLICOLOR: '0' } }, false],
    ['CLICOLOR=1 leaves it to the terminal', { tty: false, env: { CLICOLOR: '1' } }, false],
    ['CLICOLOR_FORCE beats CLICOLOR=0', { tty: false, env: { CLICOLOR_FORCE: '1', CLICOLOR: '0' } }, true],
    ['CLICOLOR_FORCE beats TERM=dumb', { tty: false, env: { CLICOLOR_FORCE: '1', TERM: 'dumb' } }, true],
    ['CLICOLOR_FORCE=0 forces nothing', { tty: false, env: { CLICOLOR_FORCE: '0' } }, false],
    ['an empty CLICOLOR_FORCE forces nothing', { tty: false, env: { CLICOLOR_FORCE: '' } }, false],
    ['FORCE_COLOR turns it on in a pipe', { tty: false, env: { FORCE_COLOR: '1' } }, true],
    ['an empty FORCE_COLOR turns it on', { tty: false, env: { FORCE_COLOR: '' } }, true],
    ['FORCE_COLOR=0 turns it off', { tty: true, env: { FORCE_COLOR: '0' } }, false],
    [
      'FORCE_COLOR=false beats CLICOLOR_FORCE',
      { tty: true, env: { FORCE_COLOR: 'false', CLICOLOR_FORCE: '1' } },
      false,
    ],
    ['FORCE_COLOR beats CLICOLOR=0', { tty: false, env: { FORCE_COLOR: '3', CLICOLOR: '0' } }, true],
    ['FORCE_COLOR beats TERM=dumb', { tty: true, env: { FORCE_COLOR: '1', TERM: 'dumb' } }, true],
    ['NO_COLOR turns it off', { tty: true, env: { NO_COLOR: '1' } }, false],
    ['NO_COLOR beats FORCE_COLOR', { tty: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['NO_COLOR beats CLICOLOR_FORCE', { tty: true, env: { NO_COLOR: 'x', CLICOLOR_FORCE: '1' } }, false],
    ['an empty NO_COLOR says nothing', { tty: true, env: { NO_COLOR: '' } }, true],
    ['--color always beats NO_COLOR', { tty: false, env: { NO_COLOR: '1' }, flag: 'always' }, true],
    ['--color never beats FORCE_COLOR', { tty: true, env: { FORCE_COLOR: '1' }, flag: 'never' }, false],
    ['--color auto asks the environment', { tty: true, env: { NO_COLOR: '1' }, flag: 'auto' }, false],
    ['--color auto asks the terminal', { tty: true, flag: 'auto' }, true],
  ]
  test.each(rows)('%s', (_, { tty, env = {}, flag }, expected) => {
    expect(hasColour({ isTTY: tty }, env, flag)).toBe(expected)
  })
})

describe('paint', () => {
  test('styles and resets, and nothing when off', () => {
    expect(makePaint(true).green('ok')).toBe('\x1b[32mok\x1b[39m')
    expect(makePaint(true).bold('')).toBe('')
    expect(makePaint(false).red('ok')).toBe('ok')
  })

  test('colours the words of a status, not a name that happens to be one', () => {
    const style = makePaint(true)
    expect(statusStyle('status', 'delivered', style)('delivered')).toContain('\x1b[32m')
    expect(statusStyle('shipment.status', 'lost', style)('lost')).toContain('\x1b[31m')
    expect(statusStyle('status', 'in_transit', style)('in_transit')).toContain('\x1b[33m')
    expect(statusStyle('status', 'unheard_of', style)('unheard_of')).toBe('unheard_of')
    expect(statusStyle('name', 'delivered', style)('delivered')).toBe('delivered')
  })
})
