/** Opens a real browser for the pages of a service. */
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { startBrowser } from './chromium.ts'

/** Opens a browser, which the caller closes. Throws the reason when there is none. */
export async function openTestBrowser(): Promise<Browser> {
  const response = await fetch(inject('chromium'), { method: 'POST' })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No browser for the tests: ${answer}`)
  return startBrowser(answer)
}
