/** A row of a manifest, and the parcel that it becomes. Types only. */
import type { Input } from '../../client/operations.ts'
import type { FileRow } from '../columns/outcomes.ts'

/** A body of `create_shipment`; without `service_level` the batch's default applies. */
export type ShipmentDraft = Input<'create_shipment'> & { reference: string }

/** One parcel of the file. */
export type ManifestRow = FileRow<ShipmentDraft> & { reference: string | undefined }
