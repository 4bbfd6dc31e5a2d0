/** Runs command lines in this process like a person at a terminal, and each command that their output names. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { InterruptedError } from '../../src/cli/io.ts'
import type { Client, Target } from '../../src/client/client.ts'
import { main } from '../../src/commands/main.ts'
import { AppError } from '../../src/core/errors.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { afterFile } from './after-file.ts'
import { embeddedIn } from './embedded-client.ts'
import { type Home, makeHome } from './home.ts'
import { type MemoryIo, memoryIo } from './memory-io.ts'

/** The result of a line: what a person saw, and whether a question was asked. */
type LineResult = { code: number; out: string; err: string; asked: boolean }

/** A command that was printed, the line that printed it, and whether that was in a script. */
export type Hint = { command: string; printedBy: string; piped: boolean }

/** Commands that go on until they are interrupted, which is once they have printed their address. */
const SERVING: ReadonlySet<string> = new Set(['serve', 'open'])

/**
 * Runs a line as a shell reads it, at a terminal or in a script, in the folder of the home. A command that waits is
 * interrupted; a question gets no answer.
 */
export async function runLine(home: Home, line: string, { piped = false } = {}): Promise<LineResult> {
  const [, ...words] = await shellWords(line, home.cwd)
  const io = memoryIo({ tty: !piped, columns: 5000, env: home.env })
  io.hangUp()
  return runWords(home, words, io)
}

/** Runs a line at a terminal that draws nothing, and types the answers to its questions, one a line. */
export async function typeAt(home: Home, line: string, answers: readonly string[]): Promise<LineResult> {
  const [, ...words] = await shellWords(line, home.cwd)
  const io = memoryIo({ tty: true, columns: 200, env: { ...home.env, DRAY_ACCESSIBLE: '1' } })
  io.type(answers.map((answer) => `${answer}\n`).join(''))
  io.hangUp()
  return runWords({ ...home, env: io.env }, words, io)
}

async function runWords(home: Home, words: string[], io: MemoryIo): Promise<LineResult> {
  const ending = new AbortController()
  const { stdout } = io
  if (SERVING.has(words[0] ?? ''))
    io.stdout = {
      ...stdout,
      write(text) {
        ending.abort(new InterruptedError())
        return stdout.write(text)
      },
    }
  const openOwn = embeddedIn(home)
  const openClient = async (target: Target): Promise<Client> => {
    if (target.kind === 'embedded') return openOwn(target)
    throw new AppError('network_error', `${target.baseUrl} cannot be reached.`)
  }
  const runtime = {
    ...makeRuntime(`${import.meta.dirname}/../..`),
    ...home,
    openClient,
    interruption: () => ending.signal,
    sleep: async () => ending.abort(new InterruptedError()),
  }
  const before = process.cwd()
  process.chdir(home.cwd)
  const code = await main(words, runtime, io).finally(() => process.chdir(before))
  return { code, out: io.out(), err: io.err() + io.asked(), asked: io.asked() !== '' }
}

/** Returns the words of a command line, as bash reads them in a folder. */
function shellWords(line: string, cwd: string): Promise<string[]> {
  const words = turn.then(() => ask((shell ??= startShell()), line, cwd))
  turn = words.catch(() => undefined)
  return words
}

/** One for all lines of a file: to start a process from one that has grown large takes longer than most lines. */
let shell: ChildProcessByStdio<Writable, Readable, null> | undefined
let turn: Promise<unknown> = Promise.resolve()

function startShell(): NonNullable<typeof shell> {
  const started = spawn('bash', [], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.stdout.setEncoding('utf8')
  afterFile(async () => {
    shell = undefined
    started.stdin.end()
    await once(started, 'close')
  })
  return started
}

/** Ends the answer of the shell, after how the command ended. */
const END = '\x1D\0'

async function ask(
  { stdin, stdout }: NonNullable<typeof shell>,
  line: string,
  cwd: string,
): Promise<string[]> {
  const command = `cd ${quote(cwd)} && eval ${quote(`printf '%s\\0' ${line}`)}`
  stdin.write(`${command}; printf '%d\\035\\0' $?\n`)
  let printed = ''
  while (!printed.endsWith(END)) {
    const [chunk] = (await once(stdout, 'data')) as [string]
    printed += chunk
  }
  const words = printed.slice(0, -END.length).split('\0')
  if (words.pop() !== '0') throw new Error(`bash cannot read ${line}`)
  return words
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A command in a sentence; a quoted word may hold a backtick. */
const IN_SENTENCE = /`(dray (?:'[^']*'|\\.|[^`'\\])*)`/g
/** A command at the end of a line: `Next: dray …`. */
const AT_END = /(?:^|: | {2})(dray [a-z].*)$/gm
/** Lines in which a command is only named: what failed, and those that a group has. */
const NAMING = /^(?:error: .*|hint: There (?:is|are) .*|hint: Did you mean .*)$/gm
/** A value that a person fills in: `<item>`, or `TRACKING_NUMBER` in a command to be completed. */
const PLACEHOLDER = /<[\w-]+>|(?<=Complete the command: .* )[A-Z][A-Z_]{2,}(?: |$)/

/** Returns the commands that a text tells a person to run. */
export function hintsIn(text: string): string[] {
  const told = text.replaceAll(NAMING, '').split('\n')
  const lines = told.filter((line) => !PLACEHOLDER.test(line)).join('\n')
  return [...lines.matchAll(IN_SENTENCE), ...lines.replaceAll(IN_SENTENCE, '').matchAll(AT_END)].map(
    ([, command = '']) => command,
  )
}

/** Returns why a printed command fails in a copy of a home; undefined when it runs, or asks what it needs. */
export async function faultOf(home: Home, { command, printedBy, piped }: Hint): Promise<string | undefined> {
  using copy = copyOf(home)
  const { code, err, asked } = await runLine(copy, command, { piped })
  // 8: the clock stands still; 130: it waited until it was interrupted.
  if (asked || [0, 8, 130].includes(code)) return undefined
  return `${printedBy}\n  printed: ${command}\n  which ended with ${code}: ${err.trim()}`
}

function copyOf(home: Home): Home {
  const copy = makeHome(home.env as Record<string, string>)
  for (const folder of ['config', 'data', 'state'] as const)
    if (existsSync(home.paths[folder])) cpSync(home.paths[folder], copy.paths[folder], { recursive: true })
  cpSync(home.cwd, copy.cwd, { recursive: true })
  return copy
}
