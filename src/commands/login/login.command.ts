import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isToken } from '../../cli/environment.ts'
import { shownTarget } from '../../cli/explain.ts'
import { InterruptedError } from '../../cli/io.ts'
import { requireBaseUrl } from '../../cli/profiles.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { Prompts } from '../../cli/questions.ts'
import type { Client, Target } from '../../client/client.ts'
import { introspectionOf, readIdentity } from '../../client/introspection.ts'
import { type RequestSender } from '../../client/oauth.ts'
import type { Login } from '../../client/session.ts'
import { AppError } from '../../core/errors.ts'
import { resolveAccount, loadSandboxAccounts, type SandboxAccount } from '../accounts.ts'
import { connect, connectionDeps } from './connect.ts'
import { chooseCredentialStore } from './place.ts'
import { assertSuits, saveLogin, saveAccount, printLogin } from './save.ts'
import { readSecret } from './secret-input.ts'

const FLAGS = [
  {
    flag: 'scope',
    kind: 'text',
    value: 'SCOPE',
    repeat: true,
    description: 'scopes to request, such as food.read. Default: all permissions of the account',
  },
  { flag: 'no-browser', kind: 'boolean', description: 'print the page’s URL instead of opening a browser' },
  {
    flag: 'no-keyring',
    kind: 'boolean',
    description: 'store the login in a file; same as DRAY_NO_KEYRING=1',
  },
  { flag: 'token-stdin', kind: 'boolean', description: 'read a token from standard input instead' },
  {
    flag: 'token-file',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'read',
    description: 'read a token from a file instead',
  },
  {
    flag: 'client-id',
    kind: 'text',
    value: 'ID',
    description: 'log in as a program of a business or carrier account',
  },
  {
    flag: 'client-secret-file',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'read',
    description: 'client secret, from a file or standard input',
  },
  {
    flag: 'sandbox',
    kind: 'boolean',
    description: 'log in to the sandbox, embedded or served on this machine',
  },
  { flag: 'account', kind: 'text', value: 'NAME', description: 'account of the sandbox' },
] as const satisfies readonly Flag[]

export const login = defineCommand({
  words: 'login',
  summary: 'Log in to a server, or as a sandbox account',
  description:
    'With a server, approve this device with a code on a page in your browser. ' +
    'On the machine that runs the server, the page opens automatically; elsewhere the person who runs the server approves the code. ' +
    'With --json the code is one line of JSON on stderr: user_code, verification_uri, verification_uri_complete, expires_in. After --timeout, dray stops waiting: exit 8, nothing is saved. ' +
    'The login is stored in the system keyring or, if there is none, in the profile, in a file that only you can read; dray tells you which first. ' +
    'It renews itself and ends with `dray logout`. --profile NAME creates the profile if it does not exist. ' +
    'dray reads a token or a secret from standard input, a file or a prompt, never from a flag.',
  flags: FLAGS,
  examples: [
    'dray login --base-url https://api.example.com --profile work',
    'dray login --base-url http://127.0.0.1:8080 --profile local --scope food.read --no-browser',
    'dray login --base-url https://api.example.com --profile work --token-stdin < token.txt',
    'dray login --base-url https://api.example.com --client-id ID --client-secret-file secret.txt',
    'dray login --sandbox --account shipper',
  ],
  danger: 'write',
  answer: { fields: ['profile', 'kind', 'address', 'account', 'credential'] },
  async run(cli, args) {
    const way = readLoginMethod(args)
    const options = {
      scope: readScope(args.scope),
      browser: args['no-browser'] !== true,
      noKeyring: args['no-keyring'] === true,
    }
    try {
      await logIn(cli, way, options)
    } catch (error) {
      if (error instanceof InterruptedError) await cli.say('Stopped; nothing was saved.')
      throw error
    }
    return 0
  },
})

async function logIn(cli: CommandContext, way: LoginMethod, options: Options): Promise<void> {
  switch (way.kind) {
    case 'token':
      return withToken(cli, addressOf(cli), await readSecret(cli, way.file, 'token'), options)
    case 'client':
      return asProgram(cli, addressOf(cli), way, options)
    case 'sandbox':
      return toSandbox(cli, way.account, options)
    case 'open':
      if (cli.settings.target.kind === 'remote') return byCode(cli, cli.settings.target.baseUrl, options)
      return byQuestions(cli, options)
  }
}

type LoginMethod =
  | { kind: 'token'; file: string | undefined }
  | { kind: 'client'; id: string; secretFile: string }
  | { kind: 'sandbox'; account: string | undefined }
  | { kind: 'open' }

type Options = { scope: string | undefined; browser: boolean; noKeyring: boolean }

/** Returns the requested way to log in. Throws AppError('usage') for two of them. */
function readLoginMethod(args: FlagValues<typeof FLAGS>): LoginMethod {
  const tokenFile = args['token-file']
  const account = args.account
  const id = args['client-id']
  const secretFile = args['client-secret-file']
  const byToken = args['token-stdin'] === true || tokenFile !== undefined
  const inSandbox = args.sandbox === true || account !== undefined
  if (args['token-stdin'] === true && tokenFile !== undefined)
    throw new AppError('usage', 'Give --token-stdin or --token-file, not both.')
  if (byToken && inSandbox)
    throw new AppError(
      'usage',
      'A token is for a server, --sandbox and --account are for the sandbox: use only one of them.',
    )
  if (id === undefined && secretFile === undefined) {
    if (byToken) return { kind: 'token', file: tokenFile }
    return inSandbox ? { kind: 'sandbox', account } : { kind: 'open' }
  }
  if (byToken || inSandbox)
    throw new AppError('usage', '--client-id logs in with its secret: leave out the other login flags.')
  if (id === undefined || secretFile === undefined)
    throw new AppError('usage', 'A client login needs both: --client-id ID and --client-secret-file FILE.')
  return { kind: 'client', id, secretFile }
}

/** Parses `--scope food.read --scope "rides.read menu.read"` into one text of scopes. */
function readScope(given: readonly string[] | undefined): string | undefined {
  const scopes = (given ?? []).flatMap((one) => one.split(/[\s,]+/))
  const asked = scopes.filter((scope) => scope !== '')
  if (given !== undefined && asked.length === 0) throw new AppError('usage', '--scope is empty.')
  return asked.length === 0 ? undefined : [...new Set(asked)].join(' ')
}

async function byQuestions(cli: CommandContext, options: Options): Promise<void> {
  const ask = await cli.ask()
  if (ask === undefined) throw howToLogIn(cli)
  const inSandbox = await ask.select({
    message: 'Log in to',
    choices: [
      { value: true, name: 'the sandbox, as one of its accounts' },
      { value: false, name: 'a service' },
    ],
  })
  if (inSandbox) {
    cli.answered.push({ flag: '--sandbox' })
    return toSandbox(cli, undefined, options)
  }
  const address = await askAddress(cli, ask)
  const withCode = await ask.select({
    message: 'How?',
    choices: [
      { value: true, name: 'with a code, in a browser' },
      { value: false, name: 'with a token' },
    ],
  })
  if (withCode) return byCode(cli, address, options)
  const token = await ask.password({
    message: `Token for ${address}`,
    validate: (typed) => (isToken(typed.trim()) ? undefined : 'This is not a token.'),
  })
  cli.answered.push({ flag: '--token-stdin' })
  return withToken(cli, address, token.trim(), options)
}

async function askAddress(cli: CommandContext, ask: Prompts): Promise<string> {
  const problem = (text: string): string | undefined => {
    try {
      requireBaseUrl(text.trim())
      return undefined
    } catch (error) {
      return (error as Error).message.replace('--base-url', 'It')
    }
  }
  const address = requireBaseUrl(
    (await ask.input({ message: 'URL of the server', validate: problem })).trim(),
  )
  cli.answered.push({ flag: '--base-url', value: address })
  return address
}

function howToLogIn({ argv }: CommandContext): AppError {
  const words = ['dray', ...argv].join(' ')
  return new AppError('usage', 'Missing: where to log in.', {
    errors: [
      { parameter: '--base-url', code: 'required', detail: 'the URL, for a server' },
      { parameter: '--account', code: 'required', detail: 'or the account, for the sandbox' },
    ],
    hint: `Complete the command: ${words} --base-url URL, or: ${words} --sandbox --account NAME`,
  })
}

function addressOf({ settings, argv }: CommandContext): string {
  if (settings.target.kind === 'remote') return settings.target.baseUrl
  throw missingInputError(argv, [
    { flag: '--base-url', value: 'URL', description: 'the service that the login is for' },
  ])
}

/** Logs in by a person's approval in a browser (RFC 8628). */
async function byCode(
  cli: CommandContext,
  address: string,
  { scope, browser, noKeyring }: Options,
): Promise<void> {
  assertSuits(cli, address)
  const { assertOffersCodes, loginByDevice } = await import('./device.ts')
  const { send, close } = await connect(cli, address)
  try {
    await assertOffersCodes(cli, send, address)
    const place = await chooseCredentialStore(cli, { noKeyring })
    const found = await loginByDevice(cli, send, { address, scope, browser })
    await end(send, await saveLogin(cli, address, place, await named(send, found)))
  } finally {
    await close()
  }
}

/** Logs in by the id and secret of a program (RFC 6749 4.4). */
async function asProgram(
  cli: CommandContext,
  address: string,
  { id, secretFile }: Extract<LoginMethod, { kind: 'client' }>,
  { scope, noKeyring }: Options,
): Promise<void> {
  assertSuits(cli, address)
  const secret = await readSecret(cli, secretFile, 'secret')
  const { loginAsClient } = await import('../../client/oauth.ts')
  const { send, close } = await connect(cli, address)
  try {
    const client = { id, secret, ...(scope !== undefined && { scope }) }
    const found = await named(send, await loginAsClient(send, client))
    const place = await chooseCredentialStore(cli, { noKeyring, withSecret: true })
    await end(send, await saveLogin(cli, address, place, found))
  } finally {
    await close()
  }
}

/** Revokes the previous login at the service, since no command uses it any more. */
async function end(send: RequestSender, before: Login | undefined): Promise<void> {
  const [{ isOurs }, { revokeLogin }] = await Promise.all([
    import('../login-store.ts'),
    import('../../client/oauth.ts'),
  ])
  // A login that cannot be revoked now expires by itself.
  if (before !== undefined && isOurs(before)) await revokeLogin(send, before).catch(() => undefined)
}

/** Adds the account's name to the login, when the service returns it. */
async function named(send: RequestSender, { token, ...login }: Login): Promise<Login> {
  const request = introspectionOf(token, { Authorization: `Bearer ${token}` })
  const { account } = await send(request, { repeatable: true })
    .then(readIdentity)
    .catch(() => ({ account: undefined }))
  return { token, ...login, ...(account !== undefined && { account }) }
}

/** Tests the token, reports where it will be stored, and stores it. */
async function withToken(
  cli: CommandContext,
  baseUrl: string,
  token: string,
  { noKeyring }: Options,
): Promise<void> {
  assertSuits(cli, baseUrl)
  const checked = await tryToken(cli, baseUrl, token)
  if (!checked)
    await cli.say('The token is valid but lacks the scope profile.read, so dray could not check more.')
  await saveLogin(cli, baseUrl, await chooseCredentialStore(cli, { noKeyring }), { token })
}

/** Returns whether the token may read; throws when the service does not know it. */
async function tryToken(cli: CommandContext, baseUrl: string, token: string): Promise<boolean> {
  const target: Target = {
    kind: 'remote',
    baseUrl,
    token,
    controlToken: undefined,
    timeoutMs: cli.settings.timeoutMs,
  }
  const client = await open(cli, target)
  try {
    await client.call('get_membership_status', {})
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return false
    throw error
  } finally {
    await client.close()
  }
}

function open(cli: CommandContext, target: Target): Promise<Client> {
  const { debug, warn } = connectionDeps(cli)
  return cli.runtime.openClient(target, { firstRun: () => undefined, debug, warn })
}

async function toSandbox(
  cli: CommandContext,
  account: string | undefined,
  { noKeyring }: Options,
): Promise<void> {
  const { target, profile, configFile, sources } = cli.settings
  assertSuits(cli, target.kind === 'remote' ? target.baseUrl : undefined)
  const accounts = await loadSandboxAccounts(await cli.client())
  const { account_id, handle } = resolveAccount(accounts, account ?? (await askAccount(cli, accounts)))
  if (target.kind === 'remote') {
    const place = await chooseCredentialStore(cli, { noKeyring })
    const { token } = await (await cli.client()).control('mint_token', { account: account_id })
    await saveLogin(cli, target.baseUrl, place, { token, account: handle })
    return
  }
  await cli.say(`The account is saved in the profile ${profile} in ${configFile}.`)
  await saveAccount(cli, { account: handle, ...(sources.service === 'flag' && { store: target.store }) })
  await printLogin(cli, { profile, ...shownTarget(target), account: handle, credential: null })
}

async function askAccount(cli: CommandContext, accounts: readonly SandboxAccount[]): Promise<string> {
  const ask = await cli.ask()
  if (ask === undefined) {
    throw missingInputError(cli.argv, [
      {
        flag: '--account',
        value: 'NAME',
        description: `one of ${accounts.map(({ handle }) => handle).join(', ')}`,
      },
    ])
  }
  const chosen = await ask.select({
    message: 'Which account?',
    choices: accounts.map(({ handle, name }) => ({ value: handle, name: `${handle} (${name})` })),
  })
  cli.answered.push({ flag: '--account', value: chosen })
  return chosen
}
