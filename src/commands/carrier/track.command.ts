import { defineCommand } from '../../cli/define-command.ts'
import { AppError } from '../../core/errors.ts'
import { isParcelSet, PARCEL_SET_FLAGS } from './bulk/choose.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import { resolveTrackingNumber } from './find-parcel.ts'

/** `dray carrier track PARCEL...`: one parcel is followed; several are summed up. */
export const carrierTrack = defineCommand({
  words: 'carrier track',
  summary: 'Track one parcel, or summarise many',
  description:
    'Tracks one parcel until it is delivered, returned, lost or cancelled (exit 0): one screen with a map in a terminal, one line per scan in a pipe. If the sandbox clock is frozen it ends at once with exit 8: `dray sandbox clock advance` advances the clock. With --json it prints the final state once; --output ndjson prints each event as it arrives.\n\nSeveral parcels, those of a batch, of a results file and those in a state are summed up as they are now: how many are in each state, and first those that need somebody: late ones, with the promised day and the reason, failed attempts, parcels that are held or wait at a depot. --wait follows all of them to their end; it exits 0 when all were delivered, 7 when none was, 9 in between.',
  positionals: [PARCELS_ARGUMENT],
  flags: PARCEL_SET_FLAGS,
  takes: ['wait'],
  examples: [
    'dray carrier track ZC968043370GB',
    'dray carrier track ZC968043370GB --output ndjson --timeout 1h',
    'dray carrier track A-1001 A-1002 A-1003',
    'dray carrier track --manifest manifest.results.csv',
    'dray carrier track --status delivery_attempted --status available_for_pickup',
    'dray carrier track --batch bat_01m7vkystgf7vtyybg4s0p9p1s --json | jq .counts',
  ],
  async run(cli, choice) {
    if (isParcelSet(choice)) return (await import('./track/many.ts')).trackMany(cli, choice)
    const [only] = choice.parcel ?? []
    const one = only ?? (await (await import('./choose-parcel.ts')).chooseParcel(cli, true))
    if (one === undefined)
      throw new AppError('usage', 'Missing: at least one parcel. dray carrier track <parcel>...', {
        hint: '--batch ID tracks the parcels of one upload, --manifest FILE those of a results file, --status those in a state.',
      })
    const number = await resolveTrackingNumber(await cli.client(), one)
    return (await import('../../cli/track/follow.ts')).followResource(cli, 'shipment', number)
  },
})
