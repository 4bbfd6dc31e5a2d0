import { turn } from '../core/turn.ts'
import type * as Paper from './render.ts'

/** Returns what draws, for a service: its two libraries are large, and other calls have their turn between them. */
export async function openPaper(): Promise<typeof Paper> {
  await import('@napi-rs/canvas')
  await turn()
  await import('@bwip-js/node')
  await turn()
  return import('./render.ts')
}
