/** Times as the clock at their place shows them, which are the ones that people are told. */
import * as Type from 'typebox'
import { strictObject, nullable } from './schema.ts'
import { localStart } from './slots.ts'

/** `slot.starts_at` is `slot_starts_at` among the local times. */
type Key<Name extends string> = Name extends `${infer Outer}.${infer Inner}` ? `${Outer}_${Inner}` : Name

type LocalTime = Type.TUnion<[Type.TString, Type.TNull]>

/** Returns the fields of a resource that `withLocal` adds, for times with these names. */
export function makeLocalTimeFields<const Name extends string>(names: readonly Name[]) {
  const times = Object.fromEntries(
    names.map((name) => [keyOf(name), nullable(`${name} in local time`, Type.String())]),
  )
  return {
    timezone: Type.Optional(Type.String({ meaning: 'Local time zone (IANA)' })),
    local_times: Type.Optional(
      strictObject(times as Record<Key<Name>, LocalTime>, { meaning: 'Local times for display' }),
    ),
  }
}

/** Returns a resource with its zone, and its times by the clock there, as `2026-07-01T19:30:00+01:00`. */
export function withLocal<Shown extends object, const Name extends string>(
  timezone: string,
  names: readonly Name[],
  shown: Shown,
): Shown & { timezone: string; local_times: Record<Key<Name>, string | null> } {
  const times = Object.fromEntries(names.map((name) => [keyOf(name), toLocal(shown, name, timezone)]))
  return { ...shown, timezone, local_times: times as Record<Key<Name>, string | null> }
}

function keyOf(name: string): string {
  return name.replace('.', '_')
}

function toLocal(shown: object, name: string, timezone: string): string | null {
  const at = name
    .split('.')
    .reduce((value: unknown, part) => (value as Record<string, unknown> | null)?.[part] ?? null, shown)
  return typeof at === 'string' ? localStart(Date.parse(at), timezone) : null
}
