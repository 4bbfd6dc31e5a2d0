/** Questions by @inquirer/prompts. They are drawn on stderr, because stdout is for the result. */
import { confirm, input, password, search } from '@inquirer/prompts'
import { foldForSearch } from '../core/fold.ts'
import { confirmWithin, selectWithin } from './countdown-question.ts'
import { InterruptedError, type Io } from './io.ts'
import { makePaint } from './output/colour.ts'
import { sanitizeForTerminal, wrapNotice } from './output/text.ts'
import { notAnswered, numberProblem, type Prompts, type PromptChoice, type Selection } from './questions.ts'

type Context = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal }

/** Returns questions that are drawn in a terminal. */
export function drawnQuestions(io: Io, colour: boolean): Prompts {
  const theme = themeOf(io, colour)
  const ask: Prompts = {
    confirm: ({ message, default: preset = false }) =>
      answered(io, (context) =>
        confirm({ message: sanitizeForTerminal(message), default: preset, theme }, context),
      ),
    confirmWithin: ({ message, left }) =>
      answered(io, (context) =>
        confirmWithin({ message: sanitizeForTerminal(message), left, theme }, context),
      ),
    selectWithin: async ({ message, choices, left }) => {
      const names = choices.map(({ name }) => sanitizeForTerminal(name))
      const at = await answered(io, (context) =>
        selectWithin({ message: sanitizeForTerminal(message), names, left, theme }, context),
      )
      return at === undefined ? undefined : choices[at]?.value
    },
    select: (question) => drawnSelect(io, theme, question),
    input: ({ message, default: preset, validate = () => undefined }) =>
      answered(io, (context) =>
        input(
          {
            message: sanitizeForTerminal(message),
            ...(preset !== undefined && { default: preset }),
            validate: (answer) => validate(answer) ?? true,
            theme,
          },
          context,
        ),
      ),
    password: ({ message, validate = () => undefined }) =>
      answered(io, (context) =>
        password(
          {
            message: sanitizeForTerminal(message),
            toggleMask: false,
            validate: (answer) => validate(answer) ?? true,
            theme,
          },
          context,
        ),
      ),
    number: async ({ message, default: preset, ...range }) => {
      const validate = (answer: string) => numberProblem(answer, range)
      return Number(
        await ask.input({ message, validate, ...(preset !== undefined && { default: String(preset) }) }),
      )
    },
  }
  return ask
}

const PAGE = 12

/** Lists the choices; what is typed leaves those that have it. */
async function drawnSelect<T>(
  io: Io,
  theme: ReturnType<typeof themeOf>,
  { message, choices, default: preset }: Selection<T>,
): Promise<T> {
  const shown = choices.map(({ name, description }, value) => ({
    value,
    name: sanitizeForTerminal(name),
    ...(description !== undefined && { description: sanitizeForTerminal(description) }),
  }))
  const usual = preset === undefined ? 0 : choices.findIndex(({ value }) => value === preset)
  const question = {
    message: sanitizeForTerminal(message),
    default: usual,
    pageSize: PAGE,
    theme: searchTheme(theme),
  }
  const at = await answered(io, (context) => {
    const enter = replayEnter(context)
    const source = (term?: string) => {
      if (term !== undefined) enter.filter()
      return filtered(shown, term)
    }
    return search({ ...question, source }, context).finally(enter.stop)
  })
  const chosen = choices[at]
  if (chosen === undefined) throw notAnswered()
  return chosen.value
}

/**
 * Presses Enter again after the filtering that it came too early for: the library drops it where text and Enter are
 * pasted at once.
 */
function replayEnter({ input: keyboard }: Context) {
  let filtering = false
  let early = false
  const onKey = (_: unknown, key?: { name?: string }) => {
    early = filtering && key?.name === 'return'
  }
  keyboard.on('keypress', onKey)
  const finish = () => {
    filtering = false
    if (early) keyboard.emit('keypress', '\r', { name: 'return', sequence: '\r' })
    early = false
  }
  return {
    filter() {
      if (!filtering) setImmediate(finish)
      filtering = true
    },
    stop() {
      early = false
      keyboard.off('keypress', onKey)
    },
  }
}

/** Returns the choices that have all words of the term, in their names or descriptions; accents do not count. */
export function filtered<C extends Pick<PromptChoice<unknown>, 'name' | 'description'>>(
  choices: readonly C[],
  term = '',
): C[] {
  const words = foldForSearch(term).split(' ')
  return choices.filter(({ name, description = '' }) => {
    const text = foldForSearch(`${name} ${description}`)
    return words.every((word) => text.includes(word))
  })
}

/** The theme of a list that is searched says that typing does something. */
function searchTheme(theme: ReturnType<typeof themeOf>) {
  const { style } = theme
  const keysHelpTip = (keys: [string, string][]) => style.keysHelpTip([...keys, ['type', 'to search']])
  return { ...theme, style: { ...style, searchTerm: style.answer, keysHelpTip } }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Asks one question. It ends at Ctrl-C, a signal, Ctrl-D and a closed input; inquirer alone would wait forever. */
async function answered<T>(io: Io, question: (context: Context) => Promise<T>): Promise<T> {
  const terminal = io.terminal()
  const ended = new AbortController()
  const end = () => ended.abort()
  const onKey = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl === true && key.name === 'd') end()
  }
  const onSignal = (name: NodeJS.Signals) => {
    // Restores echo and cursor for the shell, then ends the process as the signal would.
    ;(terminal.input as Partial<NodeJS.ReadStream>).setRawMode?.(false)
    terminal.output.write('\x1b[?25h\n')
    process.kill(process.pid, name)
  }
  for (const name of ENDING) process.once(name, onSignal)
  terminal.input.on('keypress', onKey).once('end', end).once('close', end)
  const signal = io.signal === undefined ? ended.signal : AbortSignal.any([io.signal, ended.signal])
  try {
    return await question({ ...terminal, signal })
  } catch (error) {
    if (ended.signal.aborted) throw notAnswered()
    if (io.signal?.aborted === true)
      throw io.signal.reason instanceof InterruptedError ? io.signal.reason : new InterruptedError()
    throw error instanceof Error && error.name === 'ExitPromptError' ? new InterruptedError() : error
  } finally {
    terminal.input.off('keypress', onKey).off('end', end).off('close', end)
    for (const name of ENDING) process.off(name, onSignal)
  }
}

/** Returns a theme for stderr; the default one tests stdout for colour. The library alone would break lines within words. */
function themeOf({ stderr }: Io, colour: boolean) {
  const { bold, cyan, dim, green, red } = makePaint(colour)
  const wrapped = (text: string, used = 0): string =>
    wrapNotice(text, (stderr.columns ?? 80) - used).join('\n')
  return {
    prefix: { idle: cyan('?'), done: green('✔') },
    style: {
      answer: cyan,
      // Once it is answered, what helped with the answer would be read as part of it.
      message: (text: string, status: string) =>
        bold(wrapped(status === 'done' ? text.replace(/\? \S.*$/s, '?') : text, '? '.length)),
      error: (text: string) => red(wrapped(`> ${text}`)),
      defaultAnswer: (text: string) => dim(`(${text})`),
      help: dim,
      highlight: cyan,
      key: (text: string) => bold(`<${text}>`),
      disabled: dim,
      description: (text: string) => dim(wrapped(text)),
      keysHelpTip: (keys: [string, string][]) =>
        dim(keys.map(([key, action]) => `${key} ${action}`).join(', ')),
    },
  }
}
