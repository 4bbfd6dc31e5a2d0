/** The collection manifests of hubs. A parcel says itself which one it is on: it is on one at most. */
export const collectionManifests: readonly string[] = [
  `create table collection_manifests (
    manifest_id {text} primary key,
    seq {int} not null unique,
    agreement_id {text} not null references carrier_agreements (agreement_id),
    hub_id {text} not null references hubs (hub_id),
    doc {text} not null
  ) {strict}`,
  `create index collection_manifests_by_hub on collection_manifests (agreement_id, hub_id, seq)`,
]
