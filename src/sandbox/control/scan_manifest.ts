import * as Type from 'typebox'
import { collectManifest } from '../../areas/carrier/lifecycle/manifest.ts'
import { findManifest } from '../../areas/carrier/queries/manifests.ts'
import { AppError } from '../../core/errors.ts'
import { strictObject, idParam, instant, describeField, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { runDueEvents } from '../due-events.ts'
import { defineControl } from './control.ts'
import { findAgreementHolderHandle } from './holders.ts'

export const scanManifest = defineControl({
  name: 'scan_manifest',
  method: 'POST',
  path: '/sandbox/collection-manifests/{manifest_id}/scan',
  summary: 'Scan a collection manifest, as the driver would: all its parcels are collected',
  description:
    'Parcels that are collected or cancelled stay as they are; if all are, the scan is rejected (exit 7).',
  input: strictObject({ manifest_id: idParam('the manifest, by the code on its paper') }),
  output: strictObject({
    manifest_id: Type.String({ meaning: 'Collection manifest' }),
    collected: Type.Integer({ meaning: 'Parcels collected by this scan', label: 'Collected' }),
    left: Type.Integer({ meaning: 'Parcels that were collected or cancelled before', label: 'Left' }),
    occurred_at: describeField('Time of the scan', instant),
    account: nullable('Account that sent them', Type.String()),
  }),
  errors: ['manifest_not_found', 'invalid_state'],
  example: (done) => ({ manifest_id: done['create_collection_manifest'].manifest_id }),
  cli: {
    command: 'sandbox scan',
    danger: 'write',
    columns: ['manifest_id', 'collected', 'left', 'occurred_at'],
    done: 'Collected by this scan of {manifest_id}: {collected}. Left: {left}.',
    next: 'dray carrier handover --manifest {manifest_id} --as {account}',
  },
  run: ({ write }, { manifest_id }) =>
    write(async (tx, { world }, now) => {
      const manifest = await findManifest(tx, manifest_id)
      if (manifest === undefined)
        throw new AppError('manifest_not_found', `No collection manifest ${manifest_id}.`)
      await runDueEvents({ tx, world, at: now }, { owner: manifest.agreement_id })
      const collected = await collectManifest({ tx, world, at: now }, manifest)
      return {
        manifest_id,
        collected,
        left: manifest.parcels.length - collected,
        occurred_at: toTimestamp(now),
        account: await findAgreementHolderHandle(tx, manifest.agreement_id),
      }
    }),
})
