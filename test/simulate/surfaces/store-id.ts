import { runPiped } from './reading.ts'
import type { Subject } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

/** Returns the id of a store that a story ordered from. */
export async function findStoreId(world: SurfaceWorld, { store, keeper }: Subject): Promise<string> {
  const words = ['business', 'orders', 'list', '--limit', '1', '--json', '--merchant', store, '--as', keeper]
  const { data } = JSON.parse(await runPiped(world, words)) as { data: { merchant_id: string }[] }
  return data[0]?.merchant_id ?? ''
}
