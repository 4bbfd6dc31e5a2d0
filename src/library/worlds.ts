/** Worlds in memory: an image for each seed, time and supply, which is made once and copied for each of them. */
import { frozenClock } from '../core/clock.ts'
import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import type { SupplyLevel } from '../core/supply.ts'
import { type ImageStore, makeImage, openImage } from '../db/sqlite-image.ts'
import { beginGeneration, saveSupply } from '../db/world.ts'
import { makeGeneration, seedStore } from '../sandbox/seed.ts'

/** Everything that decides how a new world is. */
export type SandboxKey = { seed: string; at: number; supply: SupplyLevel }

type RandomBytes = (count: number) => Uint8Array

/** A world of one sandbox. `end` gives it back; nothing reaches it afterwards. */
export type SandboxDb = { db: Db; end(): Promise<void> }

/** The images and the kept worlds of this many recipes stay in memory, 0.6 MB each. */
const MAX_CACHED_SANDBOXES = 8

const images = new Map<string, Promise<Uint8Array>>()
/** The sandboxes that are not in use. */
const idle = new Map<string, ImageStore>()

/** Makes a world of its own, which may live beside others. */
export async function forkSandbox(recipe: SandboxKey, random: RandomBytes): Promise<SandboxDb> {
  const store = openImage(await imageOf(recipe))
  await begin(store, random)
  const { db, shut } = guarded(store)
  return {
    db,
    async end() {
      shut()
      await store.close()
    },
  }
}

/** Takes the world that is kept for a recipe, or another one while that is in use. It is kept for the next one. */
export async function borrowSandbox(recipe: SandboxKey, random: RandomBytes): Promise<SandboxDb> {
  const key = keyOf(recipe)
  const kept = idle.get(key)
  idle.delete(key)
  const store = kept ?? openImage(await imageOf(recipe), { undoable: true })
  await begin(store, random)
  const { db, shut } = guarded(store)
  return {
    db,
    async end() {
      shut()
      await store.undo()
      if (idle.has(key)) return store.close()
      await Promise.all(remember(idle, key, store).map((dropped) => dropped.close()))
    },
  }
}

/** All worlds of a recipe are copies, and what a reader holds of one is nothing to another. */
async function begin(store: ImageStore, random: RandomBytes): Promise<void> {
  await store.write((tx) => beginGeneration(tx, makeGeneration(random)))
}

function imageOf(recipe: SandboxKey): Promise<Uint8Array> {
  const key = keyOf(recipe)
  const found = images.get(key)
  const image = found ?? makeImage((tx) => fill(tx, recipe))
  images.delete(key)
  void remember(images, key, image)
  // A failure is not kept.
  if (found === undefined) image.catch(() => images.delete(key))
  return image
}

async function fill(tx: Parameters<typeof seedStore>[0], { seed, at, supply }: SandboxKey): Promise<void> {
  // It signs the cursors of lists against forgery, which brings no gain here: lists are the same each time.
  await seedStore(tx, { seed, clock: frozenClock(at), cursorKey: '0'.repeat(64) })
  await saveSupply(tx, supply)
}

function keyOf({ seed, at, supply }: SandboxKey): string {
  return `${seed} ${at} ${supply}`
}

/** Adds to a map that keeps few, and returns those that it drops: the ones that were added first. */
function remember<T>(map: Map<string, T>, key: string, value: T): T[] {
  map.set(key, value)
  const dropped = [...map].slice(0, Math.max(0, map.size - MAX_CACHED_SANDBOXES))
  for (const [name] of dropped) map.delete(name)
  return dropped.map(([, old]) => old)
}

/** Returns the store without its end, for one sandbox. A call that still runs when that ends must not reach the next one. */
function guarded(store: ImageStore): { db: Db; shut(): void } {
  let open = true
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!open) throw new AppError('invalid_state', 'The sandbox is closed.')
    return work()
  }
  return {
    db: {
      ...store,
      read: (work, limits) => whileOpen(() => store.read(work, limits)),
      write: (work, limits) => whileOpen(() => store.write(work, limits)),
      close: async () => {},
    },
    shut: () => (open = false),
  }
}
