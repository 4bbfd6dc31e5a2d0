import type { CommandSpec, Flag, Positional } from './command.ts'
import { globalFlagsOf } from './globals.ts'
import { GROUPS } from './groups.ts'

const WIDTH = 80
/** Longer lines are hard to read, however wide the terminal is. */
const MAX_HELP_COLUMNS = 100
const GUTTER = 3

/** The form in which help is drawn: 80 columns without colour, unless a terminal says otherwise. */
export type HelpView = { width: number; heading(title: string): string }

const PLAIN: HelpView = { width: WIDTH, heading: (title) => title }

/** Returns the view of a terminal. */
export function helpView(columns: number, colour: boolean): HelpView {
  const heading = colour ? (title: string) => `\x1b[1m${title}\x1b[22m` : PLAIN.heading
  return { width: Math.min(MAX_HELP_COLUMNS, columns), heading }
}

type Line = readonly [left: string, right: string]

/** The words of a command or a group, and what it is for. */
export type CommandSummary = Pick<CommandSpec, 'words' | 'summary'>

/** Returns the groups of the first words, and the commands that are in none. */
export function groupsOf(specs: readonly CommandSummary[]): { groups: string[]; single: CommandSummary[] } {
  const groupOf = ({ words }: CommandSummary): string => words.split(' ')[0] ?? ''
  const groups = [...new Set(specs.map(groupOf))].filter((group) => group in GROUPS)
  return { groups, single: specs.filter((spec) => !groups.includes(groupOf(spec))) }
}

/** Returns what a group is for; for no words, the program. */
export function summaryOf(group: string): string {
  return group === ''
    ? 'Order food and rides, send deliveries and parcels, book home services and tasks, and run a store, from the terminal'
    : (GROUPS[group] ?? group)
}

/** Returns how a command is typed. */
export function usageOf({ words, positionals, flags }: CommandSpec): string {
  const names = positionals.map(({ name, required, repeat }) => {
    const word = `<${name}>${repeat ? '...' : ''}`
    return required ? word : `[${word}]`
  })
  const needsFlags = flags.some(({ hidden, required }) => required && !hidden)
  return ['dray', words, ...names, ...(needsFlags ? ['--…'] : []), '[flags]'].join(' ')
}

/** Returns the text of `dray --help`, made once at build time. */
export function renderRootHelp(specs: readonly CommandSummary[], view: HelpView = PLAIN): string {
  const { groups, single } = groupsOf(specs)
  const { width } = view
  return sections(view, [
    [
      '',
      [`${summaryOf('')}.`, 'The first command creates a local sandbox.'].flatMap((line) =>
        wrap(line, width),
      ),
    ],
    ['USAGE', ['  dray <group> <command> [flags]']],
    [
      'GROUPS',
      columns(
        groups.map((group) => [group, summaryOf(group)]),
        width,
      ),
    ],
    [
      'COMMANDS',
      columns(
        single.map(({ words, summary }) => [words, summary]),
        width,
      ),
    ],
    [
      'FLAGS',
      columns(
        [
          ['--json', 'one JSON document on stdout, for success and for failure'],
          ['--as ACCOUNT', 'act as another sandbox account'],
          ['--help, --version', 'also after any command'],
        ],
        width,
      ),
    ],
    [
      'START HERE',
      columns(
        [
          ['dray start', 'ninety seconds with a guide'],
          ['dray food search thai --near bank', 'find food around a place'],
          ['dray food order', 'choose, see the price, and order'],
          ['dray status', 'see what is on its way'],
          ['dray help exit-codes', 'what scripts need to know'],
        ],
        width,
        width < WIDTH ? MAX_LEFT_COLUMNS : 33,
      ),
    ],
  ])
}

/** Returns the help of a group. */
export function renderGroupHelp(
  group: string,
  commands: readonly CommandSummary[],
  view: HelpView = PLAIN,
): string {
  return sections(view, [
    ['', [`${summaryOf(group)}.`]],
    ['USAGE', [`  dray ${group} <command> [flags]`]],
    [
      'COMMANDS',
      columns(
        commands.map(({ words, summary }) => [words.slice(group.length + 1), summary]),
        view.width,
      ),
    ],
    ['', [`\`dray ${group} <command> --help\` shows more.`]],
  ])
}

/** Returns the help of one command. */
export function renderCommandHelp(spec: CommandSpec, view: HelpView = PLAIN): string {
  const { width } = view
  const shared = globalFlagsOf(spec).map(({ flag }) => `--${flag}`)
  const shown = spec.flags.filter(({ hidden }) => !hidden)
  const needed = shown.filter(({ required }) => required)
  const optional = shown.filter(({ required }) => !required)
  return sections(view, [
    [
      '',
      [
        ...wrap(`${spec.summary}.`, width),
        ...(spec.description === undefined ? [] : ['', ...wrap(spec.description, width)]),
      ],
    ],
    ['USAGE', [`  ${usageOf(spec)}`]],
    ['ARGUMENTS', columns(spec.positionals.map(argumentLine), width)],
    ['REQUIRED FLAGS', columns(needed.map(flagLine), width)],
    [needed.length > 0 ? 'OPTIONAL FLAGS' : 'FLAGS', columns(optional.map(flagLine), width)],
    [
      'GLOBAL FLAGS',
      [...wrap(shared.join(' '), width - 2).map((line) => `  ${line}`), '  `dray help flags` explains them.'],
    ],
    ['EXAMPLES', spec.examples.map((example) => `  $ ${example}`)],
    [
      '',
      spec.operation === undefined || spec.operation.plane === 'sandbox'
        ? []
        : [`Operation ${spec.operation.name}; raw: \`dray api ${spec.operation.name}\`.`],
    ],
  ])
}

function argumentLine({ name, description, choices }: Positional): Line {
  return [`<${name}>`, withChoices(description, choices)]
}

/** Returns the line of a flag, also for `dray help flags`. */
export function flagLine({ flag, short, kind, value, choices, repeat, description }: Flag): Line {
  const placeholder = kind === 'boolean' ? '' : ` ${value ?? placeholderOf(flag, kind)}`
  const name = `${short === undefined ? '' : `-${short}, `}--${flag}${placeholder}${repeat ? ' …' : ''}`
  return [name, withChoices(description, choices)]
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  if (choices === undefined) return description
  return description === '' ? choices.join(', ') : `${description}: ${choices.join(', ')}`
}

/** Returns the placeholder of a value: its form, or the last word of the flag's name. */
export function placeholderOf(flag: string, kind: Flag['kind']): string {
  const forms: Partial<Record<Flag['kind'], string>> = {
    integer: 'N',
    number: 'N',
    money: 'AMOUNT',
    date: 'DATE',
    instant: 'TIME',
    when: 'DATE',
    point: 'LAT,LON',
    json: 'JSON',
    modifiers: 'GROUPS',
    weight: 'WEIGHT',
    length: 'LENGTH',
  }
  return forms[kind] ?? flag.slice(flag.lastIndexOf('-') + 1).toUpperCase()
}

/** A longer left column is on a line of its own. */
const MAX_LEFT_COLUMNS = 28

/** Returns lines in two columns; the right one is wrapped. */
export function columns(lines: readonly Line[], width = WIDTH, most = MAX_LEFT_COLUMNS): string[] {
  const longest = Math.max(0, ...lines.map(([left]) => left.length).filter((length) => length <= most))
  return lines.flatMap(([left, right]) => {
    const indent = ' '.repeat(2 + longest + GUTTER)
    const [first = '', ...rest] = wrap(right, Math.max(24, width - indent.length))
    const fits = left.length <= longest
    const head = fits ? `  ${left.padEnd(longest)}${' '.repeat(GUTTER)}${first}`.trimEnd() : `  ${left}`
    return [head, ...(fits ? [] : [indent + first]), ...rest.map((line) => indent + line)]
  })
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? ''
      if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
    }
    return lines
  })
}

function sections(
  view: HelpView,
  parts: readonly (readonly [title: string, lines: readonly string[]])[],
): string {
  return (
    parts
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => [...(title === '' ? [] : [view.heading(title)]), ...lines].join('\n'))
      .join('\n\n') + '\n'
  )
}
