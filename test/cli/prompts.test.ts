import { describe, expect, test } from 'vitest'
import { InterruptedError } from '../../src/cli/io.ts'
import {
  canPrompt,
  notConfirmedError,
  confirmOrRefuse,
  equivalentCommand,
  missingInputError,
  openPrompts,
} from '../../src/cli/prompts.ts'
import type { Prompts } from '../../src/cli/questions.ts'
import { FORBIDDEN, HOSTILE } from '../support/hostile.ts'
import { memoryIo, type MemoryIo } from '../support/memory-io.ts'

describe('a question can be asked', () => {
  const rows: [string, Parameters<typeof memoryIo>[0], Parameters<typeof canPrompt>[1], boolean][] = [
    ['on a terminal', { tty: true }, {}, true],
    ['although stdout is a pipe', { tty: { stdin: true, stderr: true } }, {}, true],
    ['not when stdin is a pipe', { tty: { stdout: true, stderr: true } }, {}, false],
    ['not when stderr is a file', { tty: { stdin: true, stdout: true } }, {}, false],
    ['not with --json', { tty: true }, { json: true }, false],
    ['not with --output json', { tty: true }, { output: 'json' }, false],
    ['with --output csv', { tty: true }, { output: 'csv' }, true],
    ['not with --no-input', { tty: true }, { noInput: true }, false],
    ['not with DRAY_NO_INPUT', { tty: true, env: { DRAY_NO_INPUT: '1' } }, {}, false],
    ['not in CI', { tty: true, env: { CI: 'true' } }, {}, false],
    ['with CI=false', { tty: true, env: { CI: 'false' } }, {}, true],
    ['with an empty CI', { tty: true, env: { CI: '' } }, {}, true],
    ['with DRAY_NO_INPUT=0', { tty: true, env: { DRAY_NO_INPUT: '0' } }, {}, true],
  ]
  test.each(rows)('%s', (_, streams, flags, expected) => {
    expect(canPrompt(memoryIo(streams), flags)).toBe(expected)
    expect(openPrompts(memoryIo(streams), flags) !== undefined).toBe(expected)
  })
})

describe('when none can be asked', () => {
  test('everything missing is listed at once, with the command completed', () => {
    const error = missingInputError(
      ['carrier', 'create', '--to-name', "O'Brien & Sons"],
      [
        { flag: '--to-postal-code', value: 'SW1A 2AA', description: 'where the parcel goes' },
        { flag: '--weight', value: '1.2kg' },
        { flag: '--yes' },
      ],
    )
    expect(error.code).toBe('usage')
    expect(error.exitCode).toBe(2)
    expect(error.message).toBe('Missing: --to-postal-code, --weight, --yes.')
    expect(error.errors.map(({ parameter }) => parameter)).toEqual(['--to-postal-code', '--weight', '--yes'])
    expect(error.hint).toBe(
      String.raw`Complete the command: dray carrier create --to-name 'O'\''Brien & Sons' --to-postal-code 'SW1A 2AA' --weight 1.2kg --yes`,
    )
  })

  test('a plain argument is completed as one, before what stands after --', () => {
    expect(missingInputError(['carrier', 'upload'], [{ flag: 'FILE' }]).hint).toContain(
      'dray carrier upload FILE',
    )
    expect(missingInputError(['api', '--', '-x'], [{ flag: '--yes' }]).hint).toContain('dray api --yes -- -x')
  })

  test('a confirmation names the flag that gives it', async () => {
    const error = notConfirmedError(['carrier', 'upload', 'm.csv'], {
      question: 'Create 500 parcels for £612.00?',
      flags: [{ flag: '--yes' }],
    })
    expect(error.code).toBe('not_confirmed')
    expect(error.exitCode).toBe(3)
    expect(error.hint).toBe('Confirm it with --yes: dray carrier upload m.csv --yes')
    expect(
      notConfirmedError(['x'], { question: 'Sure?', flags: [{ flag: '--confirm', value: 'my shop' }] }).hint,
    ).toContain("Confirm it with --confirm 'my shop': dray x --confirm 'my shop'")
    await expect(
      confirmOrRefuse(undefined, ['sandbox', 'reset'], {
        question: 'Delete it all?',
        flags: [{ flag: '--confirm', value: 'sandbox' }],
        name: 'sandbox',
      }),
    ).rejects.toMatchObject({
      code: 'not_confirmed',
      hint: expect.stringContaining('dray sandbox reset --confirm sandbox') as string,
    })
  })
})

test('an interactive run shows the command without questions', () => {
  expect(equivalentCommand(['carrier', 'create'], [{ flag: '--weight', value: '2 kg' }])).toBe(
    "dray carrier create --weight '2 kg'",
  )
})

/** Types an answer once the question is shown. */
async function answer(io: MemoryIo, question: Promise<unknown>, ...keys: string[]): Promise<void> {
  const settled = question.then(
    () => true,
    () => true,
  )
  for (const key of keys) {
    const before = io.asked()
    io.type(key)
    // The next key waits until this one is drawn, or until the end.
    while (
      io.asked() === before &&
      !(await Promise.race([settled, new Promise((resolve) => setImmediate(() => resolve(false)))]))
    );
  }
}

async function shown(io: MemoryIo, text: string): Promise<void> {
  while (!io.asked().includes(text)) await new Promise((resolve) => setImmediate(resolve))
}

function open(io: MemoryIo, accessible: boolean): Prompts {
  const ask = openPrompts(io, { accessible, color: 'never' })
  if (ask === undefined) throw new Error('cannot ask')
  return ask
}

const levels = [
  { value: 'next_day', name: 'Next day', description: '£6.12' },
  { value: 'economy', name: 'Economy' },
]

describe.each([
  ['drawn', false],
  ['plain', true],
])('%s questions', (_, accessible) => {
  test('are asked on stderr alone', async () => {
    const io = memoryIo({ tty: true })
    const name = open(io, accessible).input({ message: 'Name' })
    await shown(io, 'Name')
    await answer(io, name, 'Ada\r')
    expect(await name).toBe('Ada')
    expect(io.out() + io.err()).toBe('')
  })

  test.each([
    ['y\r', true],
    ['yes\r', true],
    ['n\r', false],
    ['\r', false],
  ])('a confirmation answered with %j is %s', async (typed, expected) => {
    const io = memoryIo({ tty: true })
    const agreed = open(io, accessible).confirm({ message: 'Buy it?' })
    await shown(io, 'Buy it?')
    await answer(io, agreed, typed)
    expect(await agreed).toBe(expected)
  })

  test('Ctrl-D is no answer', async () => {
    const io = memoryIo({ tty: true })
    const agreed = open(io, accessible).confirm({ message: 'Buy it?' })
    await shown(io, 'Buy it?')
    if (accessible) io.hangUp()
    else io.type('\x04')
    await expect(agreed).rejects.toMatchObject({ code: 'not_confirmed' })
  })

  test('a closed terminal is no answer', async () => {
    const io = memoryIo({ tty: true })
    const name = open(io, accessible).input({ message: 'Name' })
    await shown(io, 'Name')
    io.hangUp()
    await expect(name).rejects.toMatchObject({ code: 'not_confirmed' })
  })

  test('a signal ends the question with its own exit code', async () => {
    const stop = new AbortController()
    const io = memoryIo({ tty: true, signal: stop.signal })
    const name = open(io, accessible).input({ message: 'Name' })
    await shown(io, 'Name')
    stop.abort(new InterruptedError('SIGTERM'))
    await expect(name).rejects.toMatchObject({ name: 'Interrupted', exitCode: 143 })
  })

  test('a wrong answer is asked again', async () => {
    const io = memoryIo({ tty: true })
    const weight = open(io, accessible).number({ message: 'Weight', min: 1, max: 30 })
    await shown(io, 'Weight')
    await answer(io, weight, 'x\r')
    await shown(io, 'Please type a number.')
    await answer(io, weight, accessible ? '31\r' : '\x7f31\r')
    await shown(io, 'Please type at most 30.')
    await answer(io, weight, accessible ? '12\r' : '\x7f\x7f12\r')
    expect(await weight).toBe(12)
  })

  test('the usual answer is one key', async () => {
    const io = memoryIo({ tty: true })
    const level = open(io, accessible).select({
      message: 'Service level',
      choices: levels,
      default: 'economy',
    })
    await shown(io, 'Economy')
    await answer(io, level, '\r')
    expect(await level).toBe('economy')
  })

  test('a password is nowhere to be seen', async () => {
    const io = memoryIo({ tty: true })
    const token = open(io, accessible).password({ message: 'Token' })
    await shown(io, 'Token')
    await answer(io, token, 'dray_sbx_secret\r')
    expect(await token).toBe('dray_sbx_secret')
    expect(io.asked()).not.toContain('secret')
  })

  test.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
    '%s cannot draw over them',
    async (_name, text) => {
      const io = memoryIo({ tty: true })
      const chosen = open(io, true).select({
        message: text,
        choices: [{ value: 1, name: text, description: text }],
      })
      await shown(io, 'Type a number')
      io.type('1\n')
      expect(await chosen).toBe(1)
      expect(io.asked()).not.toMatch(FORBIDDEN)
    },
  )
})

describe('drawn questions', () => {
  test('about many things leave those that have what is typed, with or without its accents', async () => {
    const io = memoryIo({ tty: true })
    const names = ['Espresso', 'Crème brûlée', 'Caffè latte', 'Cremoso', ...'a b c d e f g h'.split(' ')]
    const choices = names.map((name, value) => ({
      value,
      name,
      description: value > 3 ? 'Letters' : 'Sweet',
    }))
    const chosen = open(io, false).select({ message: 'Which item?', choices, default: 2 })
    await expect.poll(() => io.asked()).toContain('❯ Caffè latte')
    expect(io.asked()).toContain('type to search')
    io.type('sweet creme')
    await expect.poll(() => io.asked()).toMatch(/sweet creme[^]*❯ Crème brûlée/)
    io.type('\r')
    expect(await chosen).toBe(1)
    expect(io.out()).toBe('')

    const other = memoryIo({ tty: true })
    const none = open(other, false).select({ message: 'Which one?', choices })
    await shown(other, 'Which one?')
    other.type('nothing like it')
    await expect.poll(() => other.asked()).toContain('No results found')
    other.type('\x03')
    await expect(none).rejects.toThrow(InterruptedError)
  })

  test('Ctrl-C is an interruption', async () => {
    const io = memoryIo({ tty: true })
    const name = open(io, false).input({ message: 'Name' })
    await shown(io, 'Name')
    io.type('\x03')
    await expect(name).rejects.toMatchObject({ name: 'Interrupted', exitCode: 130 })
  })

  test('an arrow chooses', async () => {
    const io = memoryIo({ tty: true })
    const level = open(io, false).select({ message: 'Service level', choices: levels })
    await shown(io, 'Next day')
    await answer(io, level, '\x1b[B', '\r')
    expect(await level).toBe('economy')
  })
})

describe('plain questions', () => {
  test('are numbered lines without glyphs, colour or redraw', async () => {
    const io = memoryIo({ tty: true })
    const level = open(io, true).select({ message: 'Service level', choices: levels })
    await shown(io, 'Type a number')
    io.type('9\n')
    await shown(io, 'Please type')
    io.type('2\n')
    expect(await level).toBe('economy')
    expect(io.asked()).toBe(
      [
        'Service level',
        '  1. Next day: £6.12',
        '  2. Economy',
        'Type a number from 1 to 2: Please type a number from 1 to 2.',
        'Type a number from 1 to 2: ',
      ].join('\n'),
    )
  })

  test('keep what was typed ahead for the next one', async () => {
    const io = memoryIo({ tty: true })
    const ask = open(io, true)
    const first = ask.input({ message: 'Name' })
    await shown(io, 'Name')
    io.type('Ada\nLondon\n')
    expect(await first).toBe('Ada')
    expect(await ask.input({ message: 'City', default: 'York' })).toBe('London')
    expect(io.asked()).toContain('City (Enter for York): ')
  })
})

describe('an irreversible action', () => {
  const confirmation = {
    question: 'Everything in the sandbox goes.',
    flags: [{ flag: '--confirm', value: 'sandbox' }],
    name: 'sandbox',
  }
  const answered = async (typed: string): Promise<void> => {
    const io = memoryIo({ tty: true })
    const done = confirmOrRefuse(open(io, true), [], confirmation)
    await shown(io, 'Type sandbox to confirm')
    io.type(typed)
    await done
  }
  test('is done once its name is typed', async () => {
    await expect(answered('sandbox\n')).resolves.toBeUndefined()
  })
  test.each(['yes\n', 'y\n', 'sand\n', '\n'])('is not done for %j', async (typed) => {
    await expect(answered(typed)).rejects.toMatchObject({ code: 'not_confirmed' })
  })
})

describe('a question with a countdown', () => {
  const put = (flags: { accessible?: boolean }, left: () => number) => {
    const io = memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })
    const ask = openPrompts(io, { ...flags, color: 'never' })
    return { io, answer: ask?.confirmWithin({ message: 'Buy it?', left }) }
  }

  test.each([
    ['y', true],
    ['YES', true],
    ['', false],
    ['n', false],
  ])('answered with "%s" is %s', async (typed, agreed) => {
    for (const accessible of [false, true]) {
      const { io, answer } = put({ accessible }, () => 60_000)
      io.type(`${typed}\r`)
      expect(await answer).toBe(agreed)
      expect(io.asked()).toContain('1:00')
    }
  })

  test('lets one of several be picked with the keys, or by its number', async () => {
    for (const accessible of [false, true]) {
      const io = memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })
      const choices = ['Bus', 'Train', 'Boat'].map((name) => ({ value: name.toLowerCase(), name }))
      const ask = openPrompts(io, { accessible, color: 'never' })
      const picked = ask?.selectWithin({ message: 'Which?', choices, left: () => 60_000 })
      await expect.poll(() => io.asked()).toContain('1:00')
      // Down beyond the last one, and one up.
      io.type(accessible ? '2\n' : '\x1b[B\x1b[B\x1b[B\x1b[A\r')
      expect(await picked).toBe('train')
    }
  })

  test('accepts no choice after the time is over', async () => {
    let left = 61_000
    const io = memoryIo({ tty: true, columns: 80, env: { NO_COLOR: '1' } })
    const ask = openPrompts(io, { color: 'never' })
    const choices = [{ value: 1, name: 'One' }]
    const picked = ask?.selectWithin({ message: 'Which?', choices, left: () => (left -= 30_500) })
    expect(await picked).toBeUndefined()
    expect(io.asked()).toContain('Which? the time is over')
  })

  test('counts down, and ends by itself when the time is over', async () => {
    let left = 61_000
    const { io, answer } = put({}, () => (left -= 30_500))
    expect(await answer).toBeUndefined()
    expect(io.asked()).toContain('Buy it? the time is over')
  })

  test('an answer that comes too late does not count', async () => {
    for (const accessible of [false, true]) {
      let left = 60_000
      const { io, answer } = put({ accessible }, () => left)
      await expect.poll(() => io.asked()).toContain('1:00')
      left = 0
      io.type('y\r')
      expect(await answer).toBeUndefined()
    }
  })

  test('accepts no other word as an answer', async () => {
    const { io, answer } = put({}, () => 60_000)
    io.type('maybe\r')
    await expect.poll(() => io.asked()).toContain('Please type yes or no.')
    io.type('\x15y\r')
    expect(await answer).toBe(true)
  })
})
