import fs from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPageInBrowser } from '../../../src/commands/login/browser.ts'
import { makeHome } from '../../support/home.ts'

const PAGE = new URL('https://service.example/device?user_code=BCDF-GHJK&x=$(touch pwned);`id`')

/** Makes a program that records its arguments. */
function makeProgram(name: string) {
  const home = makeHome()
  onTestFinished(() => home[Symbol.dispose]())
  const folder = join(home.cwd, 'bin')
  const note = join(home.cwd, 'note')
  fs.mkdirSync(folder)
  fs.writeFileSync(
    join(folder, name),
    `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } > ${note}.new\nmv ${note}.new ${note}\n`,
    {
      mode: 0o755,
    },
  )
  return { cwd: home.cwd, folder, program: join(folder, name), noted: () => noted(note) }
}

/** Resolves when the program has written. */
async function noted(note: string): Promise<string> {
  const watcher = fs.watch(join(note, '..'))
  try {
    while (!fs.existsSync(note)) await new Promise((resolve) => watcher.once('change', resolve))
    return fs.readFileSync(note, 'utf8')
  } finally {
    watcher.close()
  }
}

describe.skipIf(process.platform === 'win32')('a browser', () => {
  test('is started with the address as it is, without a shell and without our secrets', async () => {
    const { program, noted: notes } = makeProgram('browser')
    const env = { BROWSER: program, PATH: '/usr/bin:/bin', DRAY_TOKEN: 'dray_sbx_secret', LANG: 'C' }
    expect(await openPageInBrowser(PAGE, env)).toBe(true)
    const lines = (await notes()).split('\n')
    expect(lines[0]).toBe(PAGE.href)
    expect(lines).toContain('LANG=C')
    expect(lines.join('\n')).not.toContain('dray_sbx_secret')
  })

  test('is what opens pages here, where there is a display', async () => {
    const { folder, noted: notes } = makeProgram('xdg-open')
    const env = { PATH: `${folder}:/usr/bin:/bin` }
    expect(await openPageInBrowser(PAGE, env, 'linux')).toBe(false)
    expect(await openPageInBrowser(PAGE, { ...env, DISPLAY: ':0' }, 'linux')).toBe(true)
    expect((await notes()).split('\n')[0]).toBe(PAGE.href)
  })

  test.each<[string, (made: ReturnType<typeof makeProgram>) => Record<string, string>]>([
    ['a line for a shell', ({ program }) => ({ BROWSER: `sh -c ${program}`, PATH: '/bin:/usr/bin' })],
    ['a program by a relative path', ({ program }) => ({ BROWSER: relative(process.cwd(), program) })],
    [
      'a program of a PATH that names folders from here',
      ({ folder }) => ({ BROWSER: 'browser', PATH: `.::${relative(process.cwd(), folder)}` }),
    ],
    ['a folder', ({ folder }) => ({ BROWSER: folder })],
    ['a file that is not there', ({ cwd }) => ({ BROWSER: join(cwd, 'none') })],
    ['nothing, without a display', () => ({ PATH: '/bin:/usr/bin' })],
  ])('%s is none', async (_name, env) => {
    const made = makeProgram('browser')
    expect(await openPageInBrowser(PAGE, env(made), 'linux')).toBe(false)
  })

  test('on a Mac does not open on the screen of another user', async () => {
    expect(await openPageInBrowser(PAGE, { SSH_CONNECTION: '1' }, 'darwin')).toBe(false)
  })
})
