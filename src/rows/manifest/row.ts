/** A row of a manifest, and the parcel that it becomes. Types only. */
import type { Parcel } from '../../areas/carrier/rules/rates.ts'
import type { Party } from '../../core/address.ts'
import type { Money } from '../../core/money.ts'
import type { FileRow } from '../columns/outcomes.ts'

/** A body of `create_shipment`; without `service_level` the batch's default applies. */
export type ShipmentDraft = {
  reference: string
  recipient: Party
  parcel: Parcel & { description?: string; declared_value?: Money; contents_type?: string }
  service_level?: string
  hub_id?: string
  options?: {
    signature_required?: boolean
    leave_safe_place?: string
    cash_on_delivery?: Money
    not_before_date?: string
  }
}

/** One parcel of the file. */
export type ManifestRow = FileRow<ShipmentDraft> & { reference: string | undefined }
