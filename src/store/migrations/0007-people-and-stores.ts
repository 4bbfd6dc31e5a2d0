/** Who is where: what people are busy with, how many there are, and when the owner of a store was last there. */
export const peopleAndStores: readonly string[] = [
  // Service time of the last business call; staff play the store of an owner who is away.
  `alter table accounts add column business_seen_at {int}`,
  `alter table world add column supply {text} not null default 'normal'`,
  // What a driver, courier or tasker is busy with, and where each is afterwards.
  `create table assignments (
    job_id {text} primary key,
    crew {text} not null check (crew in ('driver', 'courier', 'tasker')),
    person_id {text} not null,
    starts_at {int} not null,
    ends_at {int} not null check (ends_at >= starts_at),
    end_latitude_e6 {int} not null,
    end_longitude_e6 {int} not null
  ) {strict}`,
  `create index assignments_by_person on assignments (crew, person_id, starts_at)`,
  `create index bookings_by_provider on bookings (provider_id, starts_at)`,
  // Minutes of a person's time: the key lets one job have each.
  `create table assigned_minutes (
    person_id {text} not null,
    minute {int} not null,
    job_id {text} not null,
    primary key (person_id, minute)
  ) {strict}`,
  `create index assigned_minutes_by_job on assigned_minutes (job_id, minute)`,
]
