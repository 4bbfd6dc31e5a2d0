import type { CommandContext } from '../cli/cli.ts'
import { assertProfileConfirmed } from '../cli/confirm.ts'
import { defineCommand } from '../cli/define-command.ts'
import { printResult, formatTargetFlags } from '../cli/print.ts'
import type { Client, Target } from '../client/client.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { isPageName, PAGE_NAMES, type PageName, PAGES } from '../core/pages.ts'
import { loadSandboxAccounts } from './accounts.ts'
import { findServiceUrl } from './link.ts'
import { openPageInBrowser } from './login/browser.ts'

/** `dray open`: signs a browser in to the pages of a service; without a service it starts one. */
export const open = defineCommand({
  words: 'open',
  summary: 'Open a page in your browser',
  description:
    `Pages: ${PAGE_NAMES.join(', ')}. Default: the list of pages. ` +
    'Prints a link that works once, for 10 minutes, and logs one browser in to that page as the account of --as or the profile, with the permissions that the page uses. Only the page world controls the sandbox. ' +
    'If no server serves this store, it starts one on this machine, until Ctrl-C.',
  positionals: [{ name: 'page', field: 'page', description: 'the page to open', choices: PAGE_NAMES }],
  flags: [{ flag: 'no-browser', kind: 'boolean', description: 'print the link without opening a browser' }],
  examples: [
    'dray open kitchen --as owner',
    'dray open kitchen --no-browser --base-url https://dray.example.com',
  ],
  danger: 'write',
  answer: { fields: ['link', 'expires_in', 'pid'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const { target } = cli.settings
    if (cli.globals.dryRun) {
      await cli.say('Dry run: no link was created and nothing was opened.')
      return EXIT.ok
    }
    await assertProfileConfirmed(cli)
    const page = readPage(args.page)
    const show = { page, browser: args['no-browser'] !== true }
    if (target.kind === 'embedded') return openEmbedded(cli, target, show)
    const { path, expires_in } = await (await cli.client()).createPageLink(show.page)
    await present(cli, { link: new URL(path, target.baseUrl).href, expires_in }, show)
    return EXIT.ok
  },
})

function readPage(name: string | undefined): PageName | undefined {
  if (name === undefined || isPageName(name)) return name
  throw new AppError(
    'usage',
    `<page> must be one of ${PAGE_NAMES.join(', ')}, not ${JSON.stringify(name.slice(0, 40))}.`,
    {
      hint: '`dray open` lists the pages. To share one order, ride, delivery, parcel, booking or task, see `dray share --help`.',
    },
  )
}

type Show = { page: PageName | undefined; browser: boolean }

/** Opens the page at the service of this store that runs already, or at one that it starts. */
async function openEmbedded(
  cli: CommandContext,
  target: Extract<Target, { kind: 'embedded' }>,
  show: Show,
): Promise<number> {
  const { account, store } = target
  await assertSees(await cli.client(), account, show.page)
  const running = await findServiceUrl(cli, store).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (running !== undefined) {
    const { path, expires_in } = await (await cli.client()).createPageLink(show.page)
    await present(cli, { link: running + path, expires_in }, show)
    return EXIT.ok
  }
  const { serveUntil } = await import('./serve/foreground.ts')
  return serveUntil(cli, {
    args: {},
    // A page's calls would bury the link; `dray sandbox log` shows them.
    quiet: true,
    target,
    host: '127.0.0.1',
    port: 0,
    stopped: cli.runtime.interruption(),
    async present(_, { url, plane }) {
      if (plane === undefined) throw new Error('a service on this machine has a control plane')
      const { link, expiresIn } = await plane.createPageLink(url, { account, page: show.page })
      await present(cli, { link, expires_in: expiresIn, pid: cli.runtime.pid }, show)
      // Pages and their cookies belong to this address; another `dray open` would have another port.
      const back = `dray serve --port ${new URL(url).port}${formatTargetFlags({ ...cli.globals, as: undefined })}`
      await cli.say(`Serving ${url} for this sandbox. Ctrl-C stops it; \`${back}\` starts it again.`)
    },
  })
}

/** Throws `insufficient_scope` for an account that would see nothing; it names those that would. */
async function assertSees(client: Client, account: string, page: PageName | undefined): Promise<void> {
  if (page === undefined) return
  const { title, need } = PAGES[page]
  // The control token, which the holder of the store has, opens it for every account.
  if (need === 'control') return
  const accounts = await loadSandboxAccounts(client)
  const own = accounts.find(({ handle, account_id }) => handle === account || account_id === account)
  if (own === undefined || own.scopes.includes(need)) return
  const able = accounts.filter(({ scopes }) => scopes.includes(need)).map(({ handle }) => handle)
  throw new AppError(
    'insufficient_scope',
    `${title} needs ${need}, which the account ${own.handle} does not have.`,
    {
      hint: `Open it as an account that has it: ${able.map((handle) => `\`dray open ${page} --as ${handle}\``).join(', ')}.`,
      extra: { required_scope: need },
    },
  )
}

/** Prints the link, and opens it. */
async function present(
  cli: CommandContext,
  result: { link: string; expires_in: number; pid?: number },
  { page, browser }: Show,
): Promise<void> {
  const started = browser && (await openPageInBrowser(new URL(result.link), cli.runtime.env))
  const name = page === undefined ? 'The pages' : PAGES[page].title
  await printResult(cli, result, {
    columns: [{ field: 'link', label: 'Link' }],
    done: started
      ? `${name}: your browser opens the link. It works once, for ten minutes.`
      : `${name}: open the link in a browser. It works once, for ten minutes.`,
  })
}
