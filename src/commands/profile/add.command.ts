import type { Flag, FlagValues } from '../../cli/command.ts'
import type { Config, Profile } from '../../cli/config-file.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import {
  assertProfileName,
  requireBaseUrl,
  listProfiles,
  PROFILE_FIELDS,
  profileOf,
} from '../../cli/profiles.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { absoluteStore } from '../../cli/target.ts'
import { AppError } from '../../core/errors.ts'
import { dropFromKeyring, deleteLogin } from '../login-store.ts'

const FLAGS = [
  { flag: 'base-url', kind: 'text', value: 'URL', description: 'address of a service' },
  {
    flag: 'store',
    kind: 'text',
    value: 'PATH|URL',
    description: 'embedded store: a file or postgres://…',
  },
  { flag: 'account', kind: 'text', value: 'NAME', description: 'sandbox account to act as' },
  { flag: 'pay', kind: 'enum', choices: ['card', 'wallet', 'cash', 'table'], description: 'payment method' },
  {
    flag: 'default-output',
    kind: 'enum',
    choices: ['table', 'json', 'ndjson', 'csv', 'yaml'],
    description: 'form of results',
  },
  {
    flag: 'default-parcel',
    kind: 'text',
    value: 'COLUMN=VALUE',
    repeat: true,
    description: 'default for manifests without this column, such as weight_grams=800',
  },
  {
    flag: 'protected',
    kind: 'boolean',
    description: 'require --confirm NAME for changes; --no-protected turns this off',
  },
  {
    flag: 'update',
    kind: 'boolean',
    description: 'change an existing profile; settings that you do not give stay',
  },
  { flag: 'use', kind: 'boolean', description: 'and use it from now on' },
] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS>

export const profileAdd = defineCommand({
  words: 'profile add',
  summary: 'Add or change a profile',
  description:
    'Without a URL the profile is a separate embedded sandbox. To set a token, use `dray login --profile NAME`.',
  positionals: [{ name: 'name', description: 'lower-case letters, digits and dashes', required: true }],
  flags: FLAGS,
  examples: [
    'dray profile add work --base-url https://api.example.com',
    'dray profile add demo --account shipper --use',
    'dray profile add work --update --default-parcel weight_grams=800 --default-parcel length_mm=300',
  ],
  danger: 'write',
  answer: { fields: PROFILE_FIELDS },
  async run(cli, args) {
    const { name } = args
    if (name === undefined)
      throw missingInputError(cli.argv, [{ flag: 'NAME', description: 'a name for the profile' }])
    assertProfileName(name)
    const given = readProfile(args, cli.runtime.cwd)
    const { updateConfig } = await import('../../cli/config.ts')
    if (await updateConfig(cli.runtime, (config) => change(config, name, given, args)))
      await dropFromKeyring(cli.runtime, name)
    const row = listProfiles(cli).find((profile) => profile.name === name)
    await printResult(cli, row, {
      columns: [
        { field: 'name' },
        { field: 'address', label: row?.kind === 'remote' ? 'Service' : 'Store' },
        { field: 'account' },
        { field: 'protected' },
      ],
      done: args.update === true ? 'Changed the profile {name}.' : 'Added the profile {name}.',
      next:
        row?.kind === 'remote' && !row.has_token
          ? 'dray login --profile {name}'
          : 'dray whoami --profile {name}',
    })
    return 0
  },
})

/** Changes a profile; returns whether its login in the keyring must be removed. */
function change(config: Config, name: string, given: Profile, args: Flags): boolean {
  const exists = Object.hasOwn(config.profiles ?? {}, name)
  if (exists && args.update !== true) {
    throw new AppError('usage', `The profile ${name} already exists.`, {
      hint: 'Add --update to change it, or choose another name.',
    })
  }
  if (!exists && args.update === true && name !== 'default') {
    throw new AppError('usage', `No profile ${name} to change.`, {
      hint: 'Leave out --update to add it.',
    })
  }
  const profile = profileOf(config, name)
  const wasInKeyring = profile.keyring === true
  if (given.base_url !== undefined && profile.base_url !== given.base_url) {
    // A token belongs to the address that issued it.
    if (profile.base_url !== undefined) deleteLogin(profile)
    delete profile.store
  }
  if (given.store !== undefined) {
    if (profile.base_url !== undefined) deleteLogin(profile)
    delete profile.base_url
  }
  Object.assign(
    profile,
    given,
    given.default_parcel && { default_parcel: { ...profile.default_parcel, ...given.default_parcel } },
  )
  if (args.use === true) config.default_profile = name
  return wasInKeyring && profile.keyring !== true
}

function readProfile(args: Flags, folder: string): Profile {
  const text = (flag: 'account' | 'base-url' | 'store'): string | undefined => {
    const value = args[flag]
    if (value === '') throw new AppError('usage', `--${flag} is empty.`)
    return value
  }
  const baseUrl = text('base-url')
  const store = text('store')
  if (baseUrl !== undefined && store !== undefined) {
    throw new AppError(
      'usage',
      '--base-url and --store exclude each other: use a server, or a store on this machine.',
    )
  }
  const profile: { [Key in keyof Profile]?: Profile[Key] | undefined } = {
    base_url: baseUrl === undefined ? undefined : requireBaseUrl(baseUrl),
    store: store === undefined ? undefined : absoluteStore(store, folder, '--store'),
    account: text('account'),
    pay: args.pay,
    output: args['default-output'],
    default_parcel: readPairs(args['default-parcel']),
    protected: args.protected,
  }
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined)) as Profile
}

function readPairs(given: readonly string[] | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1)
        throw new AppError(
          'usage',
          `--default-parcel must be column=value, not ${JSON.stringify(pair.slice(0, 60))}.`,
        )
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}
