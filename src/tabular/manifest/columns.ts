/**
 * The columns of a parcel manifest, which are data: what may be in a header, which field of the body
 * of `create_shipment` each fills, and how its cells are read. Those that `helps` marks only help to read others, or are
 * of services that are not offered.
 */
import { FIELDS } from '../../generated/fields/create_shipment.ts'
import { type FileColumn, defineColumns } from '../columns/columns.ts'
import manifest from './manifest.json' with { type: 'json' }

export type ManifestColumnName = keyof typeof manifest.columns

export type ManifestColumn = FileColumn<ManifestColumnName>

export const { columns: MANIFEST_FILE_COLUMNS, columnOf: getManifestColumn } =
  defineColumns<ManifestColumnName>(manifest.columns, FIELDS)

/** The three that one `dimensions` column replaces. */
export const SIZES = ['length_mm', 'width_mm', 'height_mm'] as const
