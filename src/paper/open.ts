import type * as Paper from './render.ts'

/** Returns what draws, for a service: its two libraries are large, and other calls have their turn between them. */
export async function openPaper(): Promise<typeof Paper> {
  await import('@napi-rs/canvas')
  await turn()
  await import('@bwip-js/node')
  await turn()
  return import('./render.ts')
}

/** Returns once other calls had their turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
