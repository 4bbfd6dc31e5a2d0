import fs from 'node:fs'
import type { Client, Target } from '../../client/client.ts'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../command.ts'
import type { Profile } from '../config-file.ts'
import { isToken } from '../environment.ts'
import { shownTarget } from '../explain.ts'
import { printResult } from '../print.ts'
import { assertNoDryRun, checkedBaseUrl, currentConfig, profileOf } from '../profiles.ts'
import { missingInput } from '../prompts.ts'
import type { Ask } from '../questions.ts'
import { findAccount, listAccounts, type SandboxAccount } from '../sandbox.ts'

const LIMIT = 65_536

export const login = defineCommand({
  words: 'login',
  summary: 'Log in to a service, or as an account of the sandbox',
  description:
    'A token is read from standard input, from a file or by a question, never from a flag, and is tried before it is saved. ' +
    'It is saved with its address in the profile, in a file that only you can read. With --profile NAME the profile is made when there is none.',
  flags: [
    { flag: 'token-stdin', kind: 'boolean', description: 'read the token from standard input' },
    { flag: 'token-file', kind: 'text', value: 'FILE', description: 'read the token from a file' },
    {
      flag: 'sandbox',
      kind: 'boolean',
      description: 'log in to the sandbox, embedded or served on this machine',
    },
    { flag: 'account', kind: 'text', value: 'NAME', description: 'account of the sandbox' },
  ],
  examples: [
    'dray login --base-url https://api.example.com --profile work --token-stdin < token.txt',
    'dray login --sandbox --account shipper',
    'dray login --sandbox --account shipper --base-url http://127.0.0.1:8080 --profile local',
  ],
  danger: 'write',
  async run(cli, args) {
    assertNoDryRun(cli)
    const fromFile = args['token-file']
    const file = typeof fromFile === 'string' ? fromFile : undefined
    const account = typeof args['account'] === 'string' ? args['account'] : undefined
    const withToken = args['token-stdin'] === true || file !== undefined
    const inSandbox = args['sandbox'] === true || account !== undefined
    if (args['token-stdin'] === true && file !== undefined)
      throw new AppError('usage', 'Give --token-stdin or --token-file, not both.')
    if (withToken && inSandbox)
      throw new AppError(
        'usage',
        'A token is for a service, --sandbox and --account are for the sandbox: give one of them.',
      )
    if (withToken) await toService(cli, addressOf(cli), await readToken(cli, file))
    else if (inSandbox) await toSandbox(cli, account)
    else await byQuestions(cli)
    return 0
  },
})

async function byQuestions(cli: Cli): Promise<void> {
  const ask = await cli.ask()
  if (ask === undefined) throw howToLogIn(cli)
  const { target } = cli.settings
  const inSandbox =
    target.kind === 'embedded' &&
    (await ask.select({
      message: 'Log in to',
      choices: [
        { value: true, name: 'the sandbox, as one of its accounts' },
        { value: false, name: 'a service, with a token' },
      ],
    }))
  if (inSandbox) {
    cli.answered.push({ flag: '--sandbox' })
    return toSandbox(cli, undefined)
  }
  const address = target.kind === 'remote' ? target.baseUrl : await askAddress(cli, ask)
  const token = await ask.password({
    message: `Token for ${address}`,
    validate: (text) => (isToken(text.trim()) ? undefined : 'That is no token.'),
  })
  cli.answered.push({ flag: '--token-stdin' })
  return toService(cli, address, token.trim())
}

async function askAddress(cli: Cli, ask: Ask): Promise<string> {
  const problem = (text: string): string | undefined => {
    try {
      checkedBaseUrl(text.trim())
      return undefined
    } catch (error) {
      return (error as Error).message.replace('--base-url', 'It')
    }
  }
  const address = checkedBaseUrl(
    (await ask.input({ message: 'Address of the service', validate: problem })).trim(),
  )
  cli.answered.push({ flag: '--base-url', value: address })
  return address
}

function howToLogIn({ argv, settings }: Cli): AppError {
  const needsAddress = settings.target.kind === 'embedded'
  const words = ['dray', ...argv].join(' ')
  return new AppError('usage', 'Missing: how to log in.', {
    errors: [
      ...(needsAddress
        ? [{ parameter: '--base-url', code: 'required' as const, detail: 'the address, for a service' }]
        : []),
      { parameter: '--token-stdin', code: 'required', detail: 'or --token-file FILE: its token' },
      { parameter: '--account', code: 'required', detail: 'or, for the sandbox, the account' },
    ],
    hint: `Complete the command: ${words}${needsAddress ? ' --base-url URL' : ''} --token-stdin < FILE, or: ${words} --sandbox --account NAME`,
  })
}

function addressOf({ settings, argv }: Cli): string {
  if (settings.target.kind === 'remote') return settings.target.baseUrl
  throw missingInput(argv, [
    { flag: '--base-url', value: 'URL', description: 'the service that the token is for' },
  ])
}

/** Throws AppError('usage' | 'file_error'); what was read is never shown. */
async function readToken(cli: Cli, file: string | undefined): Promise<string> {
  const where = file === undefined || file === '-' ? 'Standard input' : file
  let bytes
  if (file === undefined || file === '-') {
    if (cli.io.stdin.isTTY)
      throw new AppError('usage', 'Standard input is the keyboard, which would show the token.', {
        hint: 'Pipe it in, or leave --token-stdin out and be asked.',
      })
    bytes = await cli.io.stdin.readAll(LIMIT)
  } else bytes = readFile(file)
  const token = new TextDecoder().decode(bytes).trim()
  if (isToken(token)) return token
  throw new AppError('usage', `${where} holds ${token === '' ? 'nothing' : 'something else than one token'}.`)
}

function readFile(file: string): Uint8Array {
  try {
    if (fs.statSync(file).size > LIMIT) throw new AppError('file_error', `${file} is too large for a token.`)
    return fs.readFileSync(file)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    })
  }
}

/** Tries the token, says where it goes, and saves it. */
async function toService(cli: Cli, baseUrl: string, token: string): Promise<void> {
  assertSuits(cli, baseUrl)
  const checked = await tryToken(cli, baseUrl, token)
  if (!checked)
    await cli.say('The token is valid, but has no scope profile.read: nothing more could be tried.')
  await announceSaving(cli)
  const { profile } = cli.settings
  const wasSandbox = currentConfig(cli).profiles?.[profile]?.base_url === undefined
  await save(cli, { base_url: baseUrl, token })
  if (profile === 'default' && wasSandbox) {
    await cli.say(
      'Commands without a profile go there from now on; `dray profile remove default` goes back to the sandbox.',
    )
  }
  await printLogin(cli, { profile, kind: 'remote', address: baseUrl, account: null })
}

/** Whether the service let it read; throws when it does not know the token. */
async function tryToken(cli: Cli, baseUrl: string, token: string): Promise<boolean> {
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

function open({ runtime, settings, io }: Cli, target: Target): Promise<Client> {
  return runtime.openClient(target, {
    firstRun: () => undefined,
    debug: (line) => {
      if (settings.debug) void io.stderr.write(`${line}\n`)
    },
  })
}

async function toSandbox(cli: Cli, account: string | undefined): Promise<void> {
  const { target, profile, configFile, sources } = cli.settings
  assertSuits(cli, target.kind === 'remote' ? target.baseUrl : undefined)
  const accounts = await listAccounts(await cli.client())
  const found = findAccount(accounts, account ?? (await askAccount(cli, accounts)))
  if (target.kind === 'remote') {
    await announceSaving(cli)
    const { token } = (await (await cli.client()).control('mint_token', { account: found.account_id })) as {
      token: string
    }
    await save(cli, { base_url: target.baseUrl, token, account: found.handle })
  } else {
    await cli.say(`The account goes to the profile ${profile} in ${configFile}.`)
    await save(cli, { account: found.handle, ...(sources.service === 'flag' && { store: target.store }) })
  }
  await printLogin(cli, { profile, ...shownTarget(target), account: found.handle })
}

async function askAccount(cli: Cli, accounts: readonly SandboxAccount[]): Promise<string> {
  const ask = await cli.ask()
  if (ask === undefined) {
    throw missingInput(cli.argv, [
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

/** A profile stays with its address: its token, its protection and its name are about that. */
function assertSuits(cli: Cli, baseUrl: string | undefined): void {
  const { profile: name } = cli.settings
  const profile = currentConfig(cli).profiles?.[name]
  if (profile === undefined) return
  const hint = 'Add --profile NAME with the name of another, new or not.'
  if (baseUrl !== undefined && profile.store !== undefined) {
    throw new AppError('usage', `The profile ${name} is for an embedded store.`, { hint })
  }
  if (profile.base_url === undefined) return
  if (baseUrl === undefined)
    throw new AppError('usage', `The profile ${name} is for the service at ${profile.base_url}.`, { hint })
  if (checkedBaseUrl(profile.base_url) !== baseUrl) {
    throw new AppError('usage', `The profile ${name} is for ${profile.base_url}, not for ${baseUrl}.`, {
      hint,
    })
  }
}

/** There is no keyring: whoever logs in is told before the token is written. */
async function announceSaving(cli: Cli): Promise<void> {
  const { profile, configFile, yes } = cli.settings
  const ask = yes ? undefined : await cli.ask()
  if (ask === undefined)
    return cli.say(
      `The token goes to the profile ${profile} in ${configFile}, in plain text, readable only by you.`,
    )
  const agreed = await ask.confirm({
    message: `Save the token in ${configFile}, in plain text, readable only by you?`,
    default: true,
  })
  if (!agreed) throw new AppError('not_confirmed', 'The token was not saved; nothing changed.')
}

async function save(cli: Cli, settings: Profile): Promise<void> {
  const { updateConfig } = await import('../config.ts')
  await updateConfig(cli.runtime, (config) => {
    const profile = profileOf(config, cli.settings.profile)
    // an account that was logged in before is another one
    delete profile.account
    Object.assign(profile, settings)
  })
}

type Login = { profile: string; kind: 'remote' | 'embedded'; address: string; account: string | null }

async function printLogin(cli: Cli, result: Login): Promise<void> {
  const { profile, sources } = cli.settings
  const asks = sources.profile === 'flag' ? ` --profile ${profile}` : ''
  await printResult(cli, result, {
    columns: [
      { field: 'profile' },
      { field: 'address', label: result.kind === 'remote' ? 'Service' : 'Store' },
      { field: 'account' },
    ],
    done: result.account === null ? 'Logged in to {address}.' : 'Logged in as {account}.',
    next: `dray whoami${asks}`,
  })
}
