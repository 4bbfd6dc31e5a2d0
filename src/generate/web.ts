/** Bundles the scripts and styles of the pages: one of each for a page, under names that hold a hash of their content. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { PAGE_NAMES } from '../core/pages.ts'
import { PALETTE_CSS } from '../server/theme.ts'
import { packagesOf } from './notices.ts'

/** The page of those who are not signed in, and the list of pages: they have a style, and no script. */
const START = 'start'
/** The page of shared links is for people without an account. */
const TRACK = 'track'

/** Returns the generated modules of the pages, by their paths. */
export async function webSources(root: string): Promise<Record<string, string>> {
  const web = join(root, 'src/web')
  const common = PALETTE_CSS + readFileSync(join(web, 'base.css'), 'utf8')
  const files = await Promise.all(
    [START, ...PAGE_NAMES, TRACK].map(async (page) => {
      const { code: script, modules } =
        page === START ? { code: '', modules: [] } : await bundle(join(web, page, 'main.tsx'))
      const own = page === START ? '' : readFileSync(join(web, page, 'style.css'), 'utf8')
      return { page, script, style: squeeze(common + own), modules }
    }),
  )
  const entries = files.map(
    ({ page, script, style }) =>
      `  ${page}: { script: ${named(page, script, 'js')}, style: ${named(page, style, 'css')}, load: () => import('./web/${page}.ts') },`,
  )
  return {
    'src/generated/web-packages.json': `${JSON.stringify(packagesOf(files.flatMap(({ modules }) => modules)))}\n`,
    'src/generated/web.ts': `export const WEB = {\n${entries.join('\n')}\n} as const\n`,
    ...Object.fromEntries(
      files.map(({ page, script, style }) => [
        `src/generated/web/${page}.ts`,
        `export const SCRIPT = ${JSON.stringify(script)}\nexport const STYLE = ${JSON.stringify(style)}\n`,
      ]),
    ),
  }
}

async function bundle(input: string): Promise<{ code: string; modules: readonly string[] }> {
  const built = await rolldown({
    input,
    platform: 'browser',
    transform: { target: 'es2023' },
    treeshake: true,
    plugins: [withoutErrorTable()],
  })
  const { output } = await built.generate({ format: 'es', minify: true, codeSplitting: false })
  await built.close()
  const [{ code, moduleIds }] = output
  return { code, modules: moduleIds }
}

/** Leaves out the titles, statuses and hints of all errors: a page reads an error of a rule by its code and its sentence. */
function withoutErrorTable(): Plugin {
  const lean = 'export const EXIT = {}\nexport const ERRORS = new Proxy({}, { get: () => ({}) })\n'
  return {
    name: 'errors-without-table',
    transform: (_code, id) => (id.endsWith('/core/error-table.ts') ? { code: lean, map: null } : undefined),
  }
}

function named(page: string, text: string, ending: string): string {
  const hash = createHash('sha256').update(text).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 10)
  return JSON.stringify(`${page}-${hash}.${ending}`)
}

/** Removes comments, and blanks that mean nothing. */
function squeeze(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/([{;])([\w-]+): /g, '$1$2:')
    .replaceAll(';}', '}')
    .trim()
}
