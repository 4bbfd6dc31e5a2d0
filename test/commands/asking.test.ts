/**
 * Every command that lacks something: at a terminal it asks until its call is complete, or names all that is missing at once; in a
 * script it names all at once. A command that is completed as its error says lacks nothing more.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '../../src/cli/define-command.ts'
import type { Prompts } from '../../src/cli/questions.ts'
import { type AnyCall, type Client, withOperationTypes } from '../../src/client/client.ts'
import { trigger } from '../../src/commands/listen/trigger.command.ts'
import type { AppError } from '../../src/core/errors.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { runCommand } from '../support/run-command.ts'

/** They serve, follow or open something until they are stopped, change this machine's programs, or end the world of the others. */
const NOT_RUN = new Set(['serve', 'mcp', 'listen', 'open', 'business orders watch', 'sandbox reset'])

/** One of several ways is needed: the error names all of them. */
const ONE_OF_SEVERAL = new Set(['carrier coverage', 'sandbox fault add'])

/** What the world has before: an order of each side, a problem to answer, a parcel and a job of each kind. */
const STORIES = [
  'food_order.placed',
  'food_order.problem_reported',
  'business_order.placed',
  'business_order.problem_reported',
  'ride.processing',
  'shipment.manifested',
]

let home: Home
let client: Client
let keys = 0

beforeAll(async () => {
  home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  for (const story of STORIES)
    expect((await run(trigger, [story, '--no-input'])).error, story).toBeUndefined()
})
afterAll(async () => {
  await client?.close()
  home[Symbol.dispose]()
})

/** A person who takes the first choice, types something that fits, and confirms nothing. */
function person(questions: string[]): Prompts {
  const note = (message: string): void => {
    questions.push(message)
    if (questions.length > 40) throw new Error(`It asks without an end: ${questions.slice(-3).join(' | ')}`)
  }
  const typed = (message: string): string[] => [
    ...(/date|day/i.test(message) ? ['2026-11-25'] : []),
    ...(/money|price|amount|value/i.test(message) ? ['5.00'] : []),
    ...(/number|quantity|minutes|count/i.test(message) ? ['3'] : []),
    'closed',
    'Focaccia',
    '3',
    'https://example.com/hooks',
  ]
  const input: Prompts['input'] = async ({ message, validate }) => {
    note(message)
    const fits = typed(message).find((text) => validate?.(text) === undefined)
    if (fits === undefined) throw new Error(`Nothing fits: ${message}`)
    return fits
  }
  const first = <T>(message: string, choices: readonly { value: T }[]): T => {
    note(message)
    const [choice] = choices
    if (choice === undefined) throw new Error(`No choice: ${message}`)
    return choice.value
  }
  return {
    confirm: async ({ message }) => (note(message), false),
    confirmWithin: async ({ message }) => (note(message), false),
    select: async ({ message, choices }) => first(message, choices),
    selectWithin: async ({ message, choices }) => first(message, choices),
    input,
    password: async ({ message }) => (note(message), 'secret'),
    number: async ({ message, min = 1 }) => (note(message), min),
  }
}

async function run(command: Command, argv: readonly string[], ask?: Prompts) {
  const open = embeddedIn(home)
  return runCommand(home, command, argv, {
    io: memoryIo({ env: home.env, tty: ask !== undefined }),
    ...(ask !== undefined && { ask }),
    openClient: async (target) => {
      client ??= await open(target)
      // Each run of a command draws the same keys.
      const call: AnyCall = async (name, input, options) =>
        client.call(name, input, { ...options, idempotencyKey: `asking-${++keys}` })
      return { ...client, call: withOperationTypes(call), close: async () => {} }
    },
    meanwhile: async () => {
      throw new Error('it waits')
    },
  }).catch((error: unknown) => ({ error: error as Error, out: '', err: '' }))
}

/** What a failure says is missing; nothing for another failure. */
function missingIn(error: Error | undefined): string[] {
  const { errors = [], message = '' } = (error ?? {}) as Partial<AppError>
  const required = errors.filter(({ code }) => code === 'required')
  const named = required.map(({ parameter, pointer, detail }) => parameter ?? pointer ?? detail)
  if (named.length > 0) return named
  return /^Missing|^Which [a-z]+\? dray |\bis required\b|\bare required\b/.test(message) ? [message] : []
}

/** The words of a command line, as a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replaceAll(`'\\''`, "'"),
  )
}

const NAMES = Object.keys(COMMANDS).filter((words) => !NOT_RUN.has(words))

/** Returns the arguments of the command that an error completes, or names in its sentence; none where it does neither. */
function completionOf(words: string, { hint = '', message }: AppError): string[] {
  const [, line = ''] = /Complete the command: (dray .*)$/s.exec(hint) ?? []
  const [sentence = ''] =
    new RegExp(`dray ${words} (?:<[^>]+>|--[\\w-]+ [A-Z]+)`).exec(`${message} ${hint}`) ?? []
  const usage = line === '' ? sentence : line
  const [, ...completed] = wordsOf(usage.replaceAll(/<[^>]+>/g, 'VALUE'))
  // A search takes a word of two letters or more.
  return completed.slice(words.split(' ').length).map((word) => (word === 'Q' ? 'Quill' : word))
}

test.each(NAMES)('%s asks to its end, or says at once all that it lacks', async (words) => {
  const command = await loadCommand(words)
  const { error } = await run(command, ['--no-input'])
  const lacking = missingIn(error)
  const isToComplete = lacking.length > 0 && !ONE_OF_SEVERAL.has(words)
  const completion = isToComplete ? completionOf(words, error as AppError) : []
  const again = isToComplete ? await run(command, ['--no-input', ...completion]) : undefined
  expect(missingIn(again?.error), completion.join(' ')).toEqual([])
  const questions: string[] = []
  const asked = await run(command, [], person(questions))
  expect([[], questions.length > 0 ? [] : lacking], questions.join(' | ')).toContainEqual(
    missingIn(asked.error),
  )
})

const loadCommand = async (words: string): Promise<Command> => (await COMMANDS[words]?.load()) as Command

test.each([
  ['food problem', ['--line', '--reason']],
  ['business orders answer', ['ORDER', '--accept']],
  ['business orders answer 7K2M --accept part', ['--line']],
  ['business orders answer 7K2M --accept none', ['--note']],
  ['business orders adjust', ['ORDER', '--refund', '--reason']],
  ['business orders reject', ['ORDER', '--reason']],
  ['business pause', ['MINUTES']],
  ['business catalog stock', ['ITEM', 'COUNT']],
  ['business catalog schedule', ['ITEM', 'TIMES']],
  ['business catalog schedule --category Breakfast', ['TIMES']],
  ['business hours except', ['DATE', 'HOURS']],
  ['business hours set', ['HOURS']],
  ['business station add', ['STATION', '--category']],
  ['business orders tick', ['ORDER', 'LINE']],
  ['business statement', ['--from', '--to']],
  ['carrier redirect', ['PARCEL', '--date']],
  ['sandbox scan', ['TRACKING_NUMBER', 'CODE']],
])('`dray %s` in a script lacks all of these at once', async (line, lacking) => {
  const words = Object.keys(COMMANDS)
    .filter((each) => `${line} `.startsWith(`${each} `))
    .toSorted((one, other) => other.length - one.length)[0]
  const { error } = await run(await loadCommand(words ?? ''), [
    ...wordsOf(line.slice((words ?? '').length)),
    '--no-input',
  ])
  expect(error?.message).toBe(`Missing: ${lacking.join(', ')}.`)
})

test.each([
  ['food problem', ['Reason?', 'Line?']],
  ['business catalog stock', ['Item name, ID or reference', 'Count: a number, +5 or -2, or uncounted']],
  [
    'business hours except',
    ['date, such as 2026-12-25 or tomorrow', 'periods such as 10-14, closed, or usual'],
  ],
])('`dray %s` at a terminal asks for one after the other', async (words, expected) => {
  const questions: string[] = []
  await run(await loadCommand(words), [], person(questions))
  expect(questions.filter((question) => expected.includes(question))).toEqual(expected)
})
