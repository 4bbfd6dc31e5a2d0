import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { defineCommand, text } from '../command.ts'
import { lastCreated } from '../recent.ts'
import { toRideJourney } from '../rides/journey.ts'
import { follow } from '../track/follow.ts'

/** `dray rides track [RIDE]`: from the search for a driver to the drop-off. */
export const ridesTrack = defineCommand({
  words: 'rides track',
  summary: 'Follow a ride until it is over',
  description:
    'The last ride without an id. On a terminal it is drawn over as it goes on, with the car on the map; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'ride_id', description: 'the ride; the last one without it' }],
  examples: [
    'dray rides track',
    'dray rides track rid_01m7vkystgfx5vsa9mkvef9ews --output ndjson --timeout 1h',
  ],
  run: async (cli, args) =>
    follow(cli, {
      operation: 'get_ride',
      input: { ride_id: text(args, 'ride_id') ?? (await lastRide(cli)) },
      toJourney: toRideJourney,
      nudge: '5m',
    }),
})

async function lastRide(cli: Cli): Promise<string> {
  const known = lastCreated(cli, 'request_ride')
  if (known !== undefined) return known.id
  const { value } = await (await cli.client()).call('list_rides', { limit: 1 })
  const [last] = (value as { data: { ride_id: string }[] }).data
  if (last !== undefined) return last.ride_id
  throw new AppError('usage', 'Which ride? None was requested yet.', {
    hint: '`dray rides request` requests one.',
  })
}
