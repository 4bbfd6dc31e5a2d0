/** The values that a shell offers for an argument: from files of this machine only, so that a key press is quick. */
import { readConfig } from '../../cli/config-file.ts'
import { shownTarget } from '../../cli/explain.ts'
import { stateWords } from '../../cli/output/state-words.ts'
import type { Runtime } from '../../cli/runtime.ts'
import { resolveSettings, type Settings } from '../../cli/settings.ts'
import { namedPlaces } from '../../core/places/gazetteer.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { type CreatedResource, listCreatedResources } from '../../local-state/recent.ts'
import { listSeenIds, ORDER_NUMBERS } from '../../local-state/seen.ts'
import type { CompletionOffer } from './line.ts'

/** Returns the values of a kind, which comes before the values that a sandbox always has, for a line of words. Returns none when the words select a profile that does not exist. */
export function knownValues(
  named: string,
  line: readonly string[],
  runtime: Pick<Runtime, 'env' | 'paths' | 'cwd'>,
): readonly CompletionOffer[] {
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
function kept(
  kind: string,
  { target }: Settings,
  runtime: Pick<Runtime, 'paths'>,
): readonly CompletionOffer[] {
  const service = shownTarget(target).address
  // The accounts of a sandbox are one person's; elsewhere each login sees its own.
  const isHere = (entry: { service: string; account: string | null }): boolean =>
    entry.service === service && (target.kind === 'embedded' || entry.account === (target.account ?? null))
  const created = listCreatedResources(runtime).filter(
    (entry) => isHere(entry) && (kind === 'resource' || kindOf(entry) === kind),
  )
  const seen = listSeenIds(runtime).filter((entry) => isHere(entry) && entry.kind === kind)
  if (kind === ORDER_NUMBERS) return numbersOf(seen.map(({ id }) => id))
  return [
    ...created.map(
      ({ id, status }) =>
        [id, status === undefined || status === null ? undefined : stateWords(status)] as const,
    ),
    ...seen.map(({ id, name }) => [id, name] as const),
  ]
}

/** Returns numbers of orders as a command takes them: with the day where one repeats, else the day as the description. */
function numbersOf(dated: readonly string[]): CompletionOffer[] {
  const days = Map.groupBy(dated, (each) => each.slice(0, 4))
  return dated.map((each) => {
    const [number = each, day] = each.split('@')
    return (days.get(number)?.length ?? 0) > 1 ? [each, day] : [number, day]
  })
}

/** Returns the kind of the id that a call returned: the field of its answer. */
function kindOf({ operation, upload }: Pick<CreatedResource, 'operation' | 'upload'>): string | undefined {
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
