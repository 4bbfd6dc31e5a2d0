/** No call requests the events of one resource, and each event had to be written at its place among them. */
export const eventsInOrder: readonly string[] = [`drop index events_by_resource`]
