/** Opens a real browser for the pages of a service. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'

/** Flags that prevent outgoing connections, because the test machines have a closed network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a browser, which the caller closes. Throws the reason when there is none. */
export async function openBrowser(): Promise<Browser> {
  const response = await fetch(inject('chromium'), { method: 'POST' })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No browser for the tests: ${answer}`)
  return chromium.launch({ executablePath: answer, args: FLAGS, timeout: 120_000 })
}
