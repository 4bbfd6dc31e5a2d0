import type { CommandContext } from '../cli/cli.ts'
import { assertProfileConfirmed } from '../cli/confirm.ts'
import { defineCommand } from '../cli/define-command.ts'
import { printResult, formatTargetFlags } from '../cli/print.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { findResourceByIdPrefix } from '../core/resource.ts'
import { RESOURCES } from '../generated/resources.ts'
import { resolveTrackingNumber } from './carrier/find-parcel.ts'
import { resolveFoodOrder } from './food/find-order.ts'
import { DEFAULT_PORT } from './hosting/default-port.ts'
import { findServiceUrl } from './link.ts'

/** `dray share ID`: a link to a page of one resource for people without an account; `--withdraw` ends its links. */
export const share = defineCommand({
  words: 'share',
  summary: 'Share a page of an order, ride, delivery, parcel, booking or task',
  description:
    'Prints a link. Anyone with the link sees live: status, ETA, courier or provider, map and proof; ' +
    'no addresses, phone numbers, prices or notes. The link expires with --withdraw, a week after the end of what it shows, or after 90 days.',
  positionals: [
    {
      name: 'id',
      field: 'id',
      required: true,
      description: 'ID, tracking number or reference of a parcel, or order number',
    },
  ],
  flags: [{ flag: 'withdraw', kind: 'boolean', description: 'end all links of it instead' }],
  examples: [
    'dray share ZC968043370GB',
    'dray share dlv_06b7d0h5cn0r8p0q9s8t7v6w5x',
    'dray share ZC968043370GB --withdraw',
  ],
  danger: 'write',
  answer: { fields: ['resource_id', 'link', 'expires_at', 'withdrawn'] },
  takes: ['dry-run'],
  async run(cli, args) {
    if (args.id === undefined)
      throw new AppError('usage', 'Missing: the ID of what to share. dray share <id>', {
        hint: '`dray recent` lists what you created on this machine.',
      })
    const client = await cli.client()
    const isKnown = findResourceByIdPrefix(RESOURCES, args.id) !== undefined
    const id = isKnown ? args.id : await findNamed(cli, args.id)
    if (cli.globals.dryRun) {
      await cli.say(
        args.withdraw === true ? 'Dry run: no link was withdrawn.' : 'Dry run: no link was created.',
      )
      return EXIT.ok
    }
    await assertProfileConfirmed(cli)
    if (args.withdraw === true) {
      const { withdrawn } = await client.withdraw(id)
      await printResult(
        cli,
        { resource_id: id, withdrawn },
        { columns: [{ field: 'withdrawn', label: 'Links withdrawn' }] },
      )
      return EXIT.ok
    }
    const { path, resource_id, expires_at } = await client.share(id)
    const { address, served } = await addressOf(cli)
    const link = new URL(path, address).href
    const again = `dray share ${resource_id} --withdraw${formatTargetFlags(cli.globals)}`
    await printResult(
      cli,
      { resource_id, link, expires_at },
      {
        columns: [{ field: 'link', label: 'Link' }],
        done: `Anyone with this link can see the page. \`${again}\` withdraws it.`,
      },
    )
    if (!served)
      await cli.say(
        `warning: No server is running for this sandbox: the link works only while \`dray serve${formatTargetFlags({ ...cli.globals, as: undefined })}\` runs.`,
      )
    return EXIT.ok
  },
})

/** The id of a parcel, or else of an order with that number. Throws what the search for a parcel throws. */
async function findNamed(cli: CommandContext, typed: string): Promise<string> {
  return resolveTrackingNumber(await cli.client(), typed).catch(async (problem: unknown) => {
    // A customer's token cannot see parcels; its owner meant an order.
    const isBlind = isCode(problem, 'insufficient_scope')
    if (!isBlind && !isCode(problem, 'shipment_not_found')) throw problem
    const order = await resolveFoodOrder(cli, typed).catch((other: unknown) => {
      // A token for parcels alone cannot see orders; its owner meant a parcel.
      if (isCode(other, 'insufficient_scope')) throw problem
      throw isCode(other, 'order_not_found') && !isBlind ? problem : other
    })
    return order.order_id
  })
}

function isCode(problem: unknown, code: string): boolean {
  return problem instanceof AppError && problem.code === code
}

/** Returns where the service is. A store without a running service has the address that `dray serve` would give it. */
async function addressOf(cli: CommandContext): Promise<{ address: string; served: boolean }> {
  const { target } = cli.settings
  if (target.kind === 'remote') return { address: target.baseUrl, served: true }
  const running = await findServiceUrl(cli, target.store).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  return { address: running ?? `http://127.0.0.1:${DEFAULT_PORT}`, served: running !== undefined }
}
