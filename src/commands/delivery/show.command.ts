import { isDeliveryOver } from '../../areas/couriers/states.ts'
import { hasPictures } from '../../areas/proofs/rules/proof.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import type { OperationHints } from '../../cli/command.ts'
import { declaredFields } from '../../cli/declared-fields.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { PICTURE_FLAGS, showPictures } from '../proofs/pictures.ts'
import { OPEN_PROOF } from './journey.ts'

const SHOW: OperationHints = {
  name: 'get_delivery',
  list: false,
  read: true,
  columns: [
    { field: 'delivery_id' },
    { field: 'status' },
    { field: 'origin.order_id', label: 'Of the order' },
    { field: 'parcel.description', label: 'What' },
    { field: 'parcel.size' },
    { field: 'pickup.place.name', label: 'From' },
    { field: 'pickup.place.address', label: 'At' },
    { field: 'pickup.contact.name', label: 'Handed over by' },
    { field: 'dropoff.place.name', label: 'To' },
    { field: 'dropoff.place.address', label: 'At the door of' },
    { field: 'dropoff.contact.name', label: 'Received by' },
    { field: 'dropoff.verification', label: 'Brings back' },
    { field: 'dropoff_pincode', label: 'PIN' },
    { field: 'price' },
    { field: 'payment.method', label: 'Paid by' },
    { field: 'payment.status', label: 'Payment' },
    { field: 'refund.amount', label: 'Refund' },
    { field: 'refund.status', label: 'Refund status' },
    { field: 'courier.name', label: 'Courier' },
    { field: 'courier.vehicle_type', label: 'Vehicle' },
    { field: 'courier.phone_masked', label: 'Phone' },
    { field: 'pickup_eta_at', label: 'Collected by' },
    { field: 'dropoff_eta_at', label: 'There by' },
    { field: 'delivered_at' },
    { field: 'proof_of_delivery.method', label: 'Proof' },
    { field: 'proof_of_delivery.recipient_name', label: 'Proof by' },
    { field: 'proof_of_delivery.pincode_verified', label: 'PIN was right' },
    { field: 'undeliverable.reason_code', label: 'Not handed over' },
    { field: 'external_reference', label: 'Your reference' },
  ],
}

/** `dray delivery show [DELIVERY]`. */
export const deliveryShow = defineCommand({
  words: 'delivery show',
  summary: 'Show one of your deliveries: its state, its courier, its proof',
  description:
    'The last delivery without an id. Those that bring your food orders can be shown, too: `dray food show` names them. --save writes the pictures of the proofs; on a terminal that draws pictures they are shown.',
  positionals: [{ name: 'delivery_id', description: 'the delivery; the last one without it' }],
  flags: PICTURE_FLAGS,
  examples: ['dray delivery show', 'dray delivery show dlv_01m7vkystgef7a5n56tabvem4j --save proof'],
  async run(cli, args) {
    const input = { delivery_id: await namedOrLast(cli, args.delivery_id, 'delivery_id') }
    const client = await cli.client()
    const { value } = await client.call('get_delivery', input)
    const { status, pickup_proof, proof_of_delivery } = value
    const proofs = [pickup_proof, proof_of_delivery]
    const next =
      isDeliveryOver(status) && hasPictures(proofs) ? OPEN_PROOF : 'dray delivery track {delivery_id}'
    const declared = async (): Promise<readonly string[]> => declaredFields(SHOW)
    await printResult(cli, value, { ...SHOW, ...(args.save === undefined && { next }), declared })
    await showPictures(cli, args, client, { status, proofs })
    return EXIT.ok
  },
})
