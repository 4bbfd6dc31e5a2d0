import { namedOrLast } from '../../cli/calls/last.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { follow } from '../../cli/track/follow.ts'
import { toDeliveryJourney } from './journey.ts'

/** `dray delivery track [DELIVERY]`: from the search for a courier to the proof. */
export const deliveryTrack = defineCommand({
  words: 'delivery track',
  summary: 'Follow a delivery until it is over',
  description:
    'The last delivery without an id. On a terminal it is drawn over as it goes on, with the courier on the map; piped, one line for each change. On a frozen sandbox clock it ends at once with exit 8: `dray sandbox clock advance` moves the world. With --json it prints the final state once; --output ndjson prints each change as it comes.',
  positionals: [{ name: 'delivery_id', description: 'the delivery; the last one without it' }],
  examples: [
    'dray delivery track',
    'dray delivery track dlv_01m7vkystgef7a5n56tabvem4j --output ndjson --timeout 1h',
  ],
  run: async (cli, args) =>
    follow(cli, {
      operation: 'get_delivery',
      input: { delivery_id: await namedOrLast(cli, args.delivery_id, 'delivery_id') },
      toJourney: toDeliveryJourney,
      nudge: '15m',
    }),
})
