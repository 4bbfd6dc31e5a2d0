/** The API reference of a running service. */
import { beforeAll, describe, expect, test } from 'vitest'
import { AREAS } from '../../src/core/areas.ts'
import { ERRORS } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { LLMS } from '../../src/generated/guide.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { pathOf } from '../../src/server/docs/page-of.ts'
import { problemCodes } from '../../src/server/openapi.ts'
import { pathsOf } from '../support/reference.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((make) => make()))

let served: ServedStore
const pages = new Map<string, string>()

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  const overview = await get('/docs')
  for (const path of pathsOf(overview)) pages.set(path, await get(path))
})

async function get(path: string): Promise<string> {
  const answer = await fetch(`${served.url}${path}`)
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return answer.text()
}

/** Returns the HTML of one section. */
function sectionOf(operation: AnyOperation): string {
  const { name } = operation
  const page = pages.get(pathOf(operation)) ?? ''
  return new RegExp(`<section id="${name}"[^]*?</section>`).exec(page)?.[0] ?? ''
}

function idsOf(page: string): string[] {
  return [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
}

test('agents read a page at /llms.txt', async () => {
  expect(await get('/llms.txt')).toBe(LLMS)
  const { headers } = await fetch(`${served.url}/llms.txt`, { method: 'HEAD' })
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('has a page for every area, for the calls beside the interface, for shared schemas, and for errors', () => {
  expect([...pages.keys()]).toEqual([
    '/docs',
    ...Object.keys(AREAS).map((area) => `/docs/${area}`),
    '/docs/beside',
    '/docs/sandbox',
    '/docs/shapes',
    '/docs/errors',
  ])
})

test.each(['/', '/docs/'])('is the target of %s', async (path) => {
  const answer = await fetch(`${served.url}${path}`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/docs'])
  expect((await fetch(`${served.url}${path}`, { method: 'POST' })).status).toBe(405)
})

describe('every page', () => {
  test('runs nothing and fetches nothing but its own style and icon', async () => {
    for (const path of pages.keys()) {
      const answer = await fetch(`${served.url}${path}`)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      )
      const page = pages.get(path) ?? ''
      expect(page).not.toMatch(/<script|<iframe|<img|style=|onclick|src=/)
      expect([...page.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
        '/docs/icon.svg',
        '/docs/style.css',
      ])
    }
    expect(await get('/docs/style.css')).toContain('prefers-color-scheme: dark')
    expect(await get('/docs/icon.svg')).toContain('<svg')
  })

  test('links only to existing anchors, and has each anchor once', async () => {
    const wrong: string[] = []
    let followed = 0
    for (const [path, page] of pages) {
      const ids = idsOf(page)
      expect(ids.length, path).toBe(new Set(ids).size)
      for (const [, href = ''] of page.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [file = '', id] = href.split('#')
        followed += 1
        const target = file === '' ? page : pages.get(file)
        const there =
          target === undefined
            ? (await fetch(`${served.url}${file}`)).status === 200
            : id === undefined || idsOf(target).includes(id)
        if (!there) wrong.push(`${path}: ${href}`)
      }
    }
    expect(wrong).toEqual([])
    expect(followed).toBeGreaterThan(500)
  })
})

/** Returns the texts that a section lacks. Long words hold places where they may break. */
function missingIn(section: string, shown: readonly string[]): string[] {
  const text = section.replaceAll(/<wbr \/>/g, '')
  return shown.filter((each) => !text.includes(each))
}

/** Returns what the section of any call shows: its members, and each error with a link to its page. */
function partsOf({ input, errors }: Pick<AnyOperation, 'input' | 'errors'>): string[] {
  return [
    ...Object.keys(input.properties).map((member) => `<code class="name">${member}</code>`),
    ...errors.map((code) => `href="/docs/errors#${code}"`),
  ]
}

test('explains every operation completely', () => {
  const faults = operations.flatMap((operation) => {
    const { name, method, path, scope, summary } = operation
    const words = [method, path, scope, summary].map((text) => text.replaceAll("'", '&#39;'))
    const missing = missingIn(sectionOf(operation), [
      ...words,
      ...partsOf(operation),
      `aria-label="curl, ${name}"`,
    ])
    const entry = `href="${pathOf(operation)}#${name}"`
    return [...missing, ...missingIn(pages.get('/docs') ?? '', [entry])].map((part) => `${name}: ${part}`)
  })
  expect(faults).toEqual([])
})

test('explains every control call', async () => {
  const page = pages.get('/docs/sandbox') ?? ''
  const controls = await listControls()
  const faults = controls.flatMap((call) => {
    const { name, method, path } = call
    const section = new RegExp(`<section id="${name}"[^]*?</section>`).exec(page)?.[0] ?? ''
    const shown = [method, path, `aria-label="Control call ${name}"`, ...partsOf(call)]
    return missingIn(section, shown).map((part) => `${name}: ${part}`)
  })
  expect(faults).toEqual([])
  expect(controls.length).toBeGreaterThan(0)
})

test('a service without control calls has no page of them', async () => {
  const live = await serveStore({ registry: { NAMES, load }, control: false })
  expect((await fetch(`${live.url}/docs/sandbox`)).status).toBe(404)
  expect(pathsOf(await (await fetch(`${live.url}/docs`)).text())).not.toContain('/docs/sandbox')
})

test('explains every error code of any operation', () => {
  const codes = new Set(operations.flatMap(problemCodes))
  const page = pages.get('/docs/errors') ?? ''
  const missing = [...codes].filter(
    (code) => !page.includes(`id="${code}"`) || !page.includes(ERRORS[code].title),
  )
  expect(codes.size).toBeGreaterThan(50)
  expect(missing).toEqual([])
})

test('escapes all text, so that no text becomes markup', () => {
  const all = [...pages.values()].join('')
  expect(all).not.toContain('undefined')
  expect(all).not.toContain('[object Object]')
  expect(pages.get('/docs')).toContain('Bearer &lt;token&gt;')
})
