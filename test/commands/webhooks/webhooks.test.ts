/** `dray webhooks`: six commands for the eleven things that people do with endpoints, their secrets and their deliveries. */
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { listen } from '../../../src/commands/listen/listen.command.ts'
import { webhooksDeliveries } from '../../../src/commands/webhooks/deliveries.command.ts'
import { webhooksList } from '../../../src/commands/webhooks/list.command.ts'
import { webhooksResend } from '../../../src/commands/webhooks/resend.command.ts'
import { webhooksUpdate } from '../../../src/commands/webhooks/update.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import { COMMANDS, loadOperation } from '../../../src/generated/commands.ts'
import { embeddedThrough } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { FROZEN, runForJson, runInSandbox } from '../../support/sandbox-commands.ts'

const NOBODYS = 'whe_01m7vkystgf7vtyybg4s0p9p1s'

async function makeEndpoint(home: Home): Promise<{ id: string; secret: unknown }> {
  const made = await runForJson(
    home,
    await loadOperation('create_webhook_endpoint'),
    'https://shop.example/hooks',
  )
  return { id: String(made['endpoint_id']), secret: made['secret'] }
}

test('webhooks have six commands', () => {
  const words = Object.keys(COMMANDS).filter((each) => each.startsWith('webhooks '))
  expect(words.map((each) => each.slice('webhooks '.length)).toSorted()).toEqual([
    'create',
    'delete',
    'deliveries',
    'list',
    'resend',
    'update',
  ])
})

test('a list names the endpoints without their secrets; with the id of one it shows that with its secret', async () => {
  using home = makeHome(FROZEN)
  const { id, secret } = await makeEndpoint(home)
  const { out } = await runInSandbox(home, webhooksList, '--json')
  expect(JSON.parse(out)).toMatchObject({ data: [{ endpoint_id: id }], has_more: false })
  expect(out).not.toContain('whsec_')
  expect(await runForJson(home, webhooksList, id)).toMatchObject({ endpoint_id: id, secret })
  expect((await runInSandbox(home, webhooksList, NOBODYS)).error?.code).toBe('webhook_endpoint_not_found')
})

test('--rotate gives an endpoint a new secret and says it once; --dry-run sends nothing', async () => {
  using home = makeHome(FROZEN)
  const { id, secret } = await makeEndpoint(home)
  const planned = await runInSandbox(home, webhooksUpdate, id, '--rotate', '--dry-run', '--json')
  expect(planned.json()).toEqual({ operation: 'rotate_webhook_secret', input: { endpoint_id: id } })
  expect((await runForJson(home, webhooksList, id))['secret']).toBe(secret)
  const ran = await runInSandbox(home, webhooksUpdate, id, '--rotate')
  const [given] = /whsec_\S+/.exec(ran.out) ?? []
  expect(ran.err).toContain(`The new secret is ${given}; the one before signs for 24 hours more.`)
  expect(given).not.toBe(secret)
  expect((await runForJson(home, webhooksList, id))['secret']).toBe(given)
  expect(await runForJson(home, webhooksUpdate, id, '--no-enabled')).not.toHaveProperty('secret')
})

test('a protected profile asks for its name before a new secret and before a test message', async () => {
  using home = makeHome(FROZEN)
  const { id } = await makeEndpoint(home)
  home.writeConfig({ profiles: { default: { protected: true } } })
  const changes: [Command, string][] = [
    [webhooksUpdate, '--rotate'],
    [webhooksResend, '--test'],
  ]
  for (const [command, flag] of changes) {
    const refused = await runInSandbox(home, command, id, flag, '--yes')
    expect(refused.error).toMatchObject({ code: 'not_confirmed', hint: 'Add --confirm default to continue.' })
    expect((await runInSandbox(home, command, id, flag, '--confirm', 'default')).code).toBe(0)
  }
})

test('a test message is a delivery like others: listed, shown with its body, and sent again', async () => {
  using home = makeHome(FROZEN)
  const { id } = await makeEndpoint(home)
  const sent = await runForJson(home, webhooksResend, id, '--test')
  expect(sent).toMatchObject({ endpoint_id: id, type: 'webhook.test', status: 'pending' })
  const delivery = String(sent['delivery_id'])
  expect(await runForJson(home, webhooksDeliveries, id)).toMatchObject({ data: [{ delivery_id: delivery }] })
  const shown = await runForJson(home, webhooksDeliveries, id, delivery)
  expect(shown).toMatchObject({ delivery_id: delivery, attempts: [] })
  expect(JSON.parse(String(shown['body']))).toMatchObject({ type: 'webhook.test' })
  expect(await runForJson(home, webhooksResend, id, '--delivery', delivery)).toEqual({ resent: 1 })
})

test.each([
  ['<delivery_id> and --status', webhooksDeliveries, [NOBODYS, 'whd_1', '--status', 'failed']],
  ['<delivery_id> and --cursor', webhooksDeliveries, [NOBODYS, 'whd_1', '--cursor', 'abc']],
  ['<delivery_id> and --all', webhooksDeliveries, [NOBODYS, 'whd_1', '--all']],
  ['--rotate and --enabled', webhooksUpdate, [NOBODYS, '--rotate', '--no-enabled']],
  ['--rotate and --url', webhooksUpdate, [NOBODYS, '--rotate', '--url', 'https://a.example']],
  ['--rotate and --types', webhooksUpdate, [NOBODYS, '--rotate', '--types', 'ride.completed']],
  ['--rotate and --description', webhooksUpdate, [NOBODYS, '--rotate', '--description', 'Till']],
  ['--test and --delivery', webhooksResend, [NOBODYS, '--test', '--delivery', 'whd_1']],
  ['--test and --since', webhooksResend, [NOBODYS, '--test', '--since', 'yesterday']],
  ['--test and --until', webhooksResend, [NOBODYS, '--test', '--until', 'today']],
  ['--list and --print', listen, ['--list', '--print']],
  ['--list and --forward-to', listen, ['--list', '--forward-to', '3000']],
] as [string, Command, string[]][])('%s exclude each other', async (both, command, argv) => {
  using home = makeHome(FROZEN)
  const { error } = await runCommand(home, command, argv)
  expect(error).toMatchObject({ code: 'usage' })
  expect(error?.message).toBe(`${both} exclude each other; use one of them.`)
})

test('after a lost response, the same command alone repeats a new secret, not another change', async () => {
  using home = makeHome(FROZEN)
  const { id } = await makeEndpoint(home)
  const keys: unknown[] = []
  const losing = embeddedThrough(home, (call) => async (operation, input, options) => {
    const answer = await call(operation, input, options)
    if (operation !== 'rotate_webhook_secret') return answer
    keys.push(options?.idempotencyKey)
    if (keys.length > 1) return answer
    throw new AppError('network_error', 'The response was lost.')
  })
  const attempt = (...argv: string[]) =>
    runCommand(home, webhooksUpdate, [id, ...argv], { openClient: losing })
  expect((await attempt('--rotate')).error?.code).toBe('network_error')
  const { secret } = (await runInSandbox(home, webhooksList, id, '--json')).json() as { secret: string }
  expect((await attempt()).error?.message).toContain('Nothing to change')
  expect(keys).toHaveLength(1)
  const again = await attempt('--rotate')
  expect(again.out).toContain(secret)
  expect(keys[1]).toBe(keys[0])
})

test('the events so far are listed after a position, of some types alone, and the list says where to go on', async () => {
  using home = makeHome(FROZEN)
  const { trigger } = await import('../../../src/commands/listen/trigger.command.ts')
  const empty = await runForJson(home, listen, '--list', '--as', 'member')
  expect(empty).toMatchObject({ data: [], has_more: false })
  await runInSandbox(home, trigger, 'ride.accepted', '--as', 'member')
  type Listed = { data: { type: string }[]; last: string }
  const list = async (...argv: string[]) =>
    (await runInSandbox(home, listen, '--list', ...argv, '--as', 'member', '--json')).json() as Listed
  const typesOf = ({ data }: Listed) => data.map(({ type }) => type)
  const all = await list('--after', String(empty['last']))
  expect(typesOf(all)).toEqual(['ride.processing', 'ride.accepted'])
  expect(typesOf(await list('--after', '0', '--events', 'ride.accepted'))).toEqual(['ride.accepted'])
  expect(typesOf(await list('--after', all.last))).toEqual([])
  const { out } = await runInSandbox(
    home,
    listen,
    '--list',
    '--after',
    '0',
    '--fields',
    'type',
    '--as',
    'member',
  )
  expect(out).toBe('type\nride.processing\nride.accepted\n')
})

test('a position goes with --list alone, and a wrong one is rejected', async () => {
  using home = makeHome(FROZEN)
  expect((await runInSandbox(home, listen, '--after', '0')).error?.message).toBe('--after goes with --list.')
  const { error } = await runInSandbox(home, listen, '--list', '--after', 'x')
  expect(error?.errors).toMatchObject([{ detail: 'after must be a position of an earlier response, or 0' }])
})
