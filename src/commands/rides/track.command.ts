import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { follow } from '../../cli/track/follow.ts'
import { toRideJourney } from './journey.ts'

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
      input: { ride_id: await namedOrLast(cli, args.ride_id, 'ride_id') },
      toJourney: toRideJourney,
      nudge: '5m',
    }),
})
