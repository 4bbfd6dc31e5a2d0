import { defineCommand } from '../../cli/define-command.ts'
import { AppError } from '../../core/errors.ts'
import { findParcel } from './find-parcel.ts'

/** `dray carrier track PARCEL...`: one parcel is followed; several are summed up. */
export const carrierTrack = defineCommand({
  words: 'carrier track',
  summary: 'Track one parcel, or summarise many',
  description:
    'Tracks one parcel until it is delivered, returned, lost or cancelled (exit 0): one screen with a map in a terminal, one line per scan in a pipe. If the sandbox clock is frozen it ends at once with exit 8: `dray sandbox clock advance` advances the clock. With --json it prints the final state once; --output ndjson prints each event as it arrives.\n\nSeveral parcels, those of a batch and those of a results file are summed up as they are now: how many are in each state, and first those that need somebody: late ones, with the promised day and the reason, failed attempts, parcels that are held or wait at a depot. --wait follows all of them to their end; it exits 0 when all were delivered, 7 when none was, 9 in between.',
  positionals: [{ name: 'parcel', description: 'tracking numbers or references', repeat: true }],
  flags: [
    { flag: 'batch', kind: 'text', value: 'ID', description: 'the parcels that one manifest made' },
    {
      flag: 'manifest',
      kind: 'text',
      value: 'FILE|-',
      opens: 'read',
      description: 'parcels of a results file written by `upload`; - for standard input',
    },
  ],
  takes: ['wait'],
  examples: [
    'dray carrier track ZC968043370GB',
    'dray carrier track ZC968043370GB --output ndjson --timeout 1h',
    'dray carrier track A-1001 A-1002 A-1003',
    'dray carrier track --manifest manifest.results.csv',
    'dray carrier track --batch bat_01m7vkystgf7vtyybg4s0p9p1s --json | jq .counts',
  ],
  async run(cli, { parcel = [], batch, manifest }) {
    const [only, ...more] = parcel
    const isMany = more.length > 0 || batch !== undefined || manifest !== undefined
    if (isMany) return (await import('./track/many.ts')).trackMany(cli, { parcel, batch, manifest })
    const one = only ?? (await (await import('./choose-parcel.ts')).chooseParcel(cli, true))
    if (one === undefined)
      throw new AppError('usage', 'Missing: at least one parcel. dray carrier track <parcel>...', {
        hint: '--batch ID tracks the parcels of one manifest, --manifest FILE those of a results file.',
      })
    const number = await findParcel(await cli.client(), one)
    return (await import('../../cli/track/follow.ts')).follow(cli, 'shipment', number)
  },
})
