/** Rejects a drawing in scripts without a font here: a row of empty boxes would be no address. */
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Drawing, DrawingItem } from '../core/drawing.ts'
import { AppError } from '../core/errors.ts'
import { describeScript, familiesOf, inPlainLetters } from './fonts.ts'
import { cleanForPrint } from './text.ts'

/** Subjects that an error names of each script; a batch may have hundreds. */
const MAX_NAMED_SUBJECTS = 3

/**
 * Throws `font_not_installed` if a drawing has text of a script whose package is not installed. Names all such scripts, the
 * subjects of their texts, and the command that installs the packages.
 */
export function assertFontsInstalled({ sheets }: Pick<Drawing, 'sheets'>): void {
  const absent = new Map<string, Set<string>>()
  for (const { items } of sheets) for (const item of items) addAbsent(item, absent)
  if (absent.size === 0) return
  const scripts = [...absent].map(([script, subjects]) => renderScript(script, [...subjects]))
  const packages = [...absent.keys()].map((script) => describeScript(script).package)
  const command = `npm install ${[...installFlags(import.meta.filename), ...packages].join(' ')}`
  const [fonts, them] = absent.size === 1 ? ['This font is', 'it'] : ['These fonts are', 'them']
  throw new AppError('font_not_installed', `${fonts} not installed: ${scripts.join(', ')}.`, {
    hint: `Install ${them} on the machine that runs dray: \`${command}\`.`,
    extra: { install_command: command },
  })
}

function addAbsent(item: DrawingItem, absent: Map<string, Set<string>>): void {
  if (item.kind !== 'text') return
  for (const line of item.lines) {
    const text = inPlainLetters(cleanForPrint(line), item.country)
    for (const script of familiesOf(text, item.country).scripts) {
      const subjects = absent.get(script) ?? new Set<string>()
      absent.set(script, subjects)
      if (item.subject !== undefined) subjects.add(item.subject)
    }
  }
}

function renderScript(script: string, subjects: readonly string[]): string {
  const { name } = describeScript(script)
  if (subjects.length === 0) return name
  const more = subjects.length - MAX_NAMED_SUBJECTS
  const named = subjects.slice(0, MAX_NAMED_SUBJECTS).join(', ')
  return `${name} (${more > 0 ? `${named} and ${more} more` : named})`
}

/** Returns the flags with which npm installs beside this program: in a clone, in a project, or for all users. */
function installFlags(program: string): string[] {
  const at = program.lastIndexOf(`${sep}node_modules${sep}dray${sep}`)
  if (at === -1) return ['--no-save', '--no-workspaces']
  return existsSync(join(program.slice(0, at), 'package.json')) ? [] : ['--global']
}
