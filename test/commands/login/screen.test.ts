import { describe, expect, test } from 'vitest'
import { type CodeView, codeScreen, shownPage, waitingLine } from '../../../src/commands/login/screen.ts'

const VIEW: CodeView = {
  address: 'http://127.0.0.1:8080',
  code: 'BCDF-GHJK',
  page: 'http://127.0.0.1:8080/device',
  pageWithCode: 'http://127.0.0.1:8080/device?user_code=BCDF-GHJK',
  device: 'laptop (dray 1.2.3)',
  opened: false,
  own: false,
}
const drawn = (view: Partial<CodeView>, width: number): string =>
  codeScreen({ ...VIEW, ...view }, { drawn: true, width, colour: false })

describe('the screen with the code', () => {
  test('shows it large on a terminal that is wide enough', () => {
    expect(drawn({}, 80)).toBe(`
  Log in to http://127.0.0.1:8080

  1. Open this page in a browser, on any device:
     http://127.0.0.1:8080/device

  2. Enter this code there:

     █▀▀▀▄ ▄▀▀▀▀ █▀▀▀▄ █▀▀▀▀       ▄▀▀▀▀ █   █   ▀█▀ █  ▄▀
     █▀▀▀▄ █     █   █ █▀▀▀   ▀▀▀  █  ▀█ █▀▀▀█ ▄  █  █▀▀▄
     ▀▀▀▀   ▀▀▀▀ ▀▀▀▀  ▀            ▀▀▀▀ ▀   ▀  ▀▀   ▀   ▀

     BCDF-GHJK

  3. Approve only this device:
     laptop (dray 1.2.3)

  Steps 1 and 2 in one:
     http://127.0.0.1:8080/device?user_code=BCDF-GHJK

`)
  })

  test('on a narrow one breaks sentences, but no address and no code', () => {
    const lines = drawn({}, 40).split('\n')
    expect(lines.slice(1, 10)).toEqual([
      '  Log in to http://127.0.0.1:8080',
      '',
      '  1. Open this page in a browser, on',
      '     any device:',
      '     http://127.0.0.1:8080/device',
      '',
      '  2. Enter this code there:',
      '',
      '     BCDF-GHJK',
    ])
    expect(lines).toContain('     http://127.0.0.1:8080/device?user_code=BCDF-GHJK')
  })

  test('says what to look at when the browser has it already', () => {
    const screen = drawn({ opened: true }, 80)
    expect(screen).toContain('Your browser opens this page:')
    expect(screen).toContain('Check that it shows this code:')
    expect(screen).not.toContain('?user_code')
  })

  test('shows a code with other letters in its own', () => {
    expect(drawn({ code: '1234-5678' }, 80)).not.toContain('█')
    expect(drawn({ code: '1234-5678' }, 80)).toContain('     1234-5678\n')
  })

  test('draws every letter that a code can have in its own way', () => {
    const letters = Array.from('BCDFGHJKLMNPQRSTVWXZ')
    const shapes = letters.map((letter) => drawn({ code: letter }, 80).split('\n').slice(8, 11).join('\n'))
    expect(new Set(shapes).size).toBe(letters.length)
  })

  test('in colour says the same', () => {
    const plain = codeScreen(VIEW, { drawn: true, width: 80, colour: true })
    // oxlint-disable-next-line no-control-regex -- the colours are what goes
    expect(plain.replaceAll(/\x1b\[\d+m/g, '')).toBe(drawn({}, 80))
  })

  test('is sentences where nothing is drawn', () => {
    expect(codeScreen(VIEW, { drawn: false, width: 80, colour: false })).toBe(`\
To log in to http://127.0.0.1:8080, approve it on this page:
http://127.0.0.1:8080/device
The code is BCDF-GHJK
The page with the code filled in:
http://127.0.0.1:8080/device?user_code=BCDF-GHJK
The page calls this device: laptop (dray 1.2.3)
`)
  })
})

test('the time that is left', () => {
  expect(waitingLine(598_000)).toBe('Waiting, 9:58 left. Ctrl-C stops.')
  expect(waitingLine(-5)).toBe('Waiting, 0:00 left. Ctrl-C stops.')
})

test('the address of a page cannot move the cursor', () => {
  expect(shownPage(new URL('https://a.example/\x1b[2J\u202edevice'))).toMatch(
    /^https:\/\/a\.example\/[!-~]+$/,
  )
})
