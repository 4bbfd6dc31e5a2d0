/** The values that a shell offers for an argument: from files of this machine only, so that a key press is quick. */
import { readConfig } from '../../cli/config-file.ts'
import { shownTarget } from '../../cli/explain.ts'
import { stateWords } from '../../cli/output/state-words.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { resolveSettings, type Settings } from '../../cli/settings.ts'
import { namedPlaces } from '../../core/places/gazetteer.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { type Created, listCreated } from '../../journal/recent.ts'
import { listSeen } from '../../journal/seen.ts'

type Values = readonly (readonly [value: string, description?: string | undefined])[]

/** A list for a key press; more is found by typing on. */
const MOST = 200
/** A shell reads a value as a part of the line: one with other characters is not offered. */
const PLAIN = /^[\w.@+-]+$/

/**
 * Returns the values of a kind, one in each line, with a description after a tab. The first word is the kind, and after
 * commas the values that a sandbox always has; the others are the words of the line. Returns no line when they select a
 * profile that does not exist.
 */
export function completeValues(
  [kind = '', ...line]: readonly string[],
  runtime: Pick<Runtime, 'env' | 'paths' | 'cwd'>,
): string {
  const seen = new Set<string>()
  return valuesOf(kind, line, runtime)
    .filter(([value]) => PLAIN.test(value) && !seen.has(value) && seen.add(value))
    .slice(0, MOST)
    .map(([value, text]) => `${value}${text === undefined ? '' : `\t${oneLine(text)}`}\n`)
    .join('')
}

function valuesOf(
  named: string,
  line: readonly string[],
  runtime: Pick<Runtime, 'env' | 'paths' | 'cwd'>,
): Values {
  const [kind = '', ...always] = named.split(',')
  if (kind === 'place') return [...namedPlaces().keys()].map((name) => [name])
  if (kind === 'profile') {
    const { profiles } = readConfig(runtime.paths.config, () => undefined)
    return ['default', ...Object.keys(profiles ?? {})].map((name) => [name])
  }
  const settings = settingsOf(line, runtime)
  if (settings === undefined) return []
  if (kind === 'map') return Object.keys(settings.maps).map((name) => [name])
  const known = settings.target.kind === 'embedded' ? always : []
  return [...known.map((value) => [value] as const), ...kept(kind, settings, runtime)]
}

/** Returns the ids that were created or seen at this service, newest first. */
function kept(kind: string, { target }: Settings, runtime: Pick<Runtime, 'paths'>): Values {
  const service = shownTarget(target).address
  // The accounts of a sandbox are one person's; elsewhere each login sees its own.
  const isHere = (entry: { service: string; account: string | null }): boolean =>
    entry.service === service && (target.kind === 'embedded' || entry.account === (target.account ?? null))
  const created = listCreated(runtime).filter(
    (entry) => isHere(entry) && (kind === 'resource' || kindOf(entry) === kind),
  )
  const seen = listSeen(runtime).filter((entry) => isHere(entry) && entry.kind === kind)
  return [
    ...created.map(
      ({ id, status }) =>
        [id, status === undefined || status === null ? undefined : stateWords(status)] as const,
    ),
    ...seen.map(({ id, name }) => [id, name] as const),
  ]
}

/** Returns the kind of the id that a call returned: the member of its answer. */
function kindOf({ operation, upload }: Pick<Created, 'operation' | 'upload'>): string | undefined {
  if (upload !== undefined) return 'batch_id'
  return Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))?.id
}

/** Returns the settings that the words of the line select; undefined when they select none. */
function settingsOf(
  line: readonly string[],
  runtime: Pick<Runtime, 'env' | 'paths' | 'cwd'>,
): Settings | undefined {
  const flag = (name: string): string | undefined => {
    const at = line.findIndex((word) => word === name || word.startsWith(`${name}=`))
    // The last word is still being typed.
    return at === -1 || at + 1 >= line.length ? undefined : (line[at]?.split('=', 2)[1] ?? line[at + 1])
  }
  const said = {
    profile: flag('--profile'),
    baseUrl: flag('--base-url'),
    store: flag('--store'),
    as: flag('--as'),
  }
  try {
    return resolveSettings(said, runtime)
  } catch {
    return undefined
  }
}

/** A shop may have any name: what would move a cursor is no part of it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
