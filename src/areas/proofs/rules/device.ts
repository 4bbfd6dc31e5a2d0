/** The device with which a worker collects proof or evidence (docs/rules/tasks.md#one-tasker-has-one-device). Pure. */
import { seededInt, sha256Hex } from '../../../core/hash.ts'
import type { Media } from './proof.ts'

const HOUR = 3_600_000
/** A device's clock is behind by this much at first, in milliseconds. */
const OFFSET_MS = { least: 250, most: 1750 }
/** The clock gains or loses at most this many milliseconds an hour. */
const DRIFT_MS = 50
/** A worker walks the last metres slowly, to find the house number. */
const WALKED = { least_m: 10, most_m: 34, metres_per_second: 0.5 }
/** The precision of a position, in metres. */
const POSITION_ERROR_M = 4

type Device = Pick<Media['device'], 'device_id_hash' | 'platform'>

/** Returns the device of a worker. */
export function deviceOf(seed: string, holder: string): Device {
  return {
    device_id_hash: sha256Hex(`${seed}|device|${holder}`).slice(0, 16),
    platform: sampleDeviceInt(seed, holder, 2, 'platform') === 0 ? 'android' : 'ios',
  }
}

/** Returns by how many milliseconds the device's clock is behind at `at`, for a job that began at `began`. */
export function clockOffset(seed: string, holder: string, began: number, at: number): number {
  const { least, most } = OFFSET_MS
  const first = least + sampleDeviceInt(seed, holder, most - least + 1, `clock|${began}`)
  const drift = sampleDeviceInt(seed, holder, 2 * DRIFT_MS + 1, 'drift') - DRIFT_MS
  // Never ahead: a picture is not dated after it was received.
  return Math.max(0, first + Math.trunc((drift * (at - began)) / HOUR))
}

/** Returns the distance in metres to the target for a worker who came near it at `began`. */
export function metresLeft(seed: string, holder: string, began: number, at: number): number {
  const { least_m, most_m, metres_per_second } = WALKED
  const first = least_m + sampleDeviceInt(seed, holder, most_m - least_m + 1, `near|${began}`)
  return Math.max(0, first - (metres_per_second * (at - began)) / 1000)
}

/** Returns the error of a position, the same for the same second. */
export function positionError(seed: string, holder: string, at: number): { metres: number; bearing: number } {
  const second = Math.floor(at / 1000)
  return {
    metres: sampleDeviceInt(seed, holder, POSITION_ERROR_M, `error|${second}`),
    bearing: sampleDeviceInt(seed, holder, 360, `bearing|${second}`),
  }
}

function sampleDeviceInt(seed: string, holder: string, below: number, purpose: string): number {
  return seededInt(below, seed, [`device|${holder}`, 0, 0, purpose])
}
