/** The pages for users, README and docs, and the commands in them. */
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { environment } from './program.ts'
import { ROOT } from './sources.ts'

/** Every page, the README first, by its path from the root. */
export const DOC_PAGES: readonly string[] = [
  'README.md',
  // The skill file has the same commands.
  'llms.txt',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Commands with what they print (`console`), or commands that only have to succeed (`sh`). */
export type Block = {
  kind: 'console' | 'sh'
  text: string
  /** The reason why no test can run it, from `<!-- not run: reason -->` before it. */
  reason?: string
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/(?:<!-- not run: ((?:(?!-->)[^])*?) -->\s*)?^```(console|sh)\n([^]*?)^```$/gm)
  return [...blocks].map(([, reason, kind, text = '']) => ({
    kind: kind === 'sh' ? 'sh' : 'console',
    text: text.trimEnd(),
    ...(reason !== undefined && { reason }),
  }))
}

/** Returns the first commands of the README. Every other page starts after them; the README has them itself. */
export function setUp(page: string): string {
  if (page === 'README.md') return ':'
  const [, first = '', second = ''] = /^\$ (alias dray=.*)\n\$ (.*)$/m.exec(readPage('README.md')) ?? []
  return `${first}\n${second}`
}

/** Copies the files of a clone that the pages use to an empty folder, because the pages write beside the examples. */
export function makeClone(folder: string): void {
  for (const name of ['bin', 'package.json', 'examples', 'test/support/exports'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of ['dist', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name))
}

/** Runs the blocks in one shell and returns the output of each. Blocks with a reason are skipped. */
export async function runBlocks(blocks: readonly Block[], clone: string): Promise<string[]> {
  const { stdout } = await execa('bash', ['-c', [PRELUDE, ...blocks.map(toScript)].join(`\n${BETWEEN}\n`)], {
    cwd: clone,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    env: { ...environment(), HOME: clone, TMPDIR: clone },
  })
  return stdout
    .replaceAll(PROGRESS, '')
    .split('\x1D')
    .slice(1)
    .map((printed, index) =>
      blocks[index]?.kind === 'console' || printed.includes('failed: ') ? printed.trim() : '',
    )
}

/** Lines of a command that takes longer than a second, which depends on the machine. */
const PROGRESS = /^[A-Z][^:\n]*: \d+ of \d+ \(\d+%\)\n/gm

const BETWEEN = String.raw`printf '\035'`

/** Makes a server use any free port and end with the shell. */
const PRELUDE = String.raw`
shopt -s expand_aliases
program="$PWD/bin/dray.js"
exec 2>&1
trap '[ -z "$servers" ] || { kill $servers; wait $servers; }' EXIT
listens() {
  read -r -d '}' -u "$1" line
  [[ $line =~ http://[^/\"]+ ]] && printf '%s' "${'$'}{BASH_REMATCH[0]}"
}`

/** The default ports of `dray serve` and `dray mcp --http`. */
const SERVERS: readonly [pattern: RegExp, port: string][] = [
  [/^dray serve\b/, '8080'],
  [/^dray mcp --http\b/, '8081'],
]

function toScript({ kind, text, reason }: Block): string {
  if (reason !== undefined) return ':'
  if (kind === 'console')
    return commandsOf(text)
      .map((command) => `printf '%s\\n' ${quote(`$ ${command}`)}\n${toCommand(command)}`)
      .join('\n')
  const lines = text.split('\n').map(toCommand)
  return [`trap 'printf "failed: %s\\n" "$BASH_COMMAND"' ERR`, ...lines, 'trap - ERR'].join('\n')
}

function toCommand(line: string): string {
  const port = SERVERS.find(([pattern]) => pattern.test(line))?.[1]
  if (port !== undefined) {
    const words = line.replace(/(?:\s+&)?\s*(?:#.*)?$/, '')
    return `exec {out}< <(exec ${words.replace(/^dray/, '"$program"')} --port 0 --json --quiet); servers+=" $!"; at_${port}=$(listens $out)`
  }
  return line.replaceAll(/http:\/\/127\.0\.0\.1:(808[01])/g, (_, known: string) => `$at_${known}`)
}

/** Returns the commands of a block, each in one piece. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
