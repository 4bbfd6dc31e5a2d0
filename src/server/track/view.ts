/**
 * The view that a shared page shows of a resource. Each field is chosen by name: a field that a presenter gains later is not
 * shown, and no text that a person wrote is. Pure.
 */
import type { Point } from '../../core/geometry.ts'
import type { ResourceView } from '../../core/presenter.ts'
import { firstName } from '../../core/privacy.ts'
import type { SharedStep, SharedView } from '../../core/shared-view.ts'

/** Returns the view of what a presenter tells; `kind` is the public word for the resource. */
export function sharedView(kind: string, telling: ResourceView): SharedView {
  const {
    publicTitle: title,
    state,
    mood,
    isFinal: over,
    arrival,
    history,
    upcoming: ahead,
    routeMap: map,
    proof,
  } = telling
  const shared = map?.shared ?? null
  return {
    kind,
    title,
    state,
    mood,
    over,
    eta: arrival && {
      words: arrival.words,
      at: arrival.at,
      until: arrival.until ?? null,
      day: arrival.day ?? false,
    },
    steps: [...history.map(toStep), ...ahead.map(({ words }) => ({ words, at: null, note: null }))],
    who: mood === 'failed' ? null : personOf(telling),
    map: shared && {
      door: { point: onlyPoint(shared.door), words: shared.words },
      mover:
        map === null || shared.person === undefined
          ? null
          : { point: onlyPoint(map.mover.point), words: firstName(shared.person) },
    },
    proof: proof && {
      words: `${proof.words}${initialOf(proof.by)}`,
      at: proof.at,
      pictures: proof.pictures.length,
    },
  }
}

/** Returns when a resource ended; undefined for one that goes on. */
export function findEndTime({ over, steps }: Pick<SharedView, 'over' | 'steps'>): number | undefined {
  const last = steps.findLast(({ at }) => at !== null)?.at ?? null
  return over && last !== null ? Date.parse(last) : undefined
}

function toStep({ status, by, words, at, note, why }: ResourceView['history'][number]): SharedStep {
  // A customer who cancels owes no reason.
  const own = status === 'cancelled' && (by === 'customer' || by === 'rider') ? `The ${by} cancelled.` : why
  return { words, at, note: note === undefined ? own : note }
}

/** The first name of a person; the name of a firm is public. */
function personOf({ workerField: sent, worker: who }: ResourceView): SharedView['who'] {
  if (who === null) return null
  const { name, firm, vehicle, plate } = who
  return { role: sent.role, name: firm ? name : firstName(name), vehicle, plate: plate ?? null }
}

/** ` by J.`; empty without a name. */
function initialOf(name: string | null): string {
  const initial = name?.trim().at(0)?.toUpperCase()
  return initial === undefined ? '' : ` by ${initial}.`
}

/** A location may say more than where it is. */
function onlyPoint({ latitude, longitude }: Point): Point {
  return { latitude, longitude }
}
