/** The places of a sandbox that commands take by default. */
import type { Point } from '../core/geometry.ts'

/** The default position in the sandbox: near the stores of the City. */
export const SANDBOX_POINT: Point = { latitude: 51.5125, longitude: -0.0803 }

/** The default address in the sandbox for a first try of a courier delivery. */
export const DEFAULT_SANDBOX_ADDRESS = '12 Finsbury Square, London EC2A 1AN'
