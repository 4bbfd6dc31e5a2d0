/** A real browser on the pages of a service. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'

/** Nothing of it goes out: the machines of the tests have a closed network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Throws the reason when there is no browser. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const response = await fetch(inject('chromium'), { method: 'POST' })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No browser for the tests: ${answer}`)
  return chromium.launch({ executablePath: answer, args: FLAGS, timeout: 120_000 })
}
