import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { follow } from '../../cli/track/follow.ts'
import { toBookingJourney } from './journey.ts'

/** `dray services track [BOOKING]`: from the confirmation to the finished work. */
export const servicesTrack = defineCommand({
  words: 'services track',
  summary: 'Follow a booking until it is over',
  description:
    'The last booking without an id. On a terminal it is drawn over as it goes on, with the provider on the map; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'booking_id', description: 'the booking; the last one without it' }],
  examples: [
    'dray services track',
    'dray services track bkg_01m7vkystgfjrv96q54p9ebqz8 --output ndjson --timeout 1h',
  ],
  run: async (cli, args) =>
    follow(cli, {
      operation: 'get_service_booking',
      input: { booking_id: await namedOrLast(cli, args.booking_id, 'booking_id') },
      toJourney: toBookingJourney,
      nudge: '1d',
    }),
})
