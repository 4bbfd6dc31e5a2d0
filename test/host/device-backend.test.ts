import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDeviceBackend } from '../../src/host/device-backend.ts'
import { startDeviceLogin } from '../../src/oauth/device.ts'
import { OAuthError } from '../../src/oauth/refusal.ts'
import { openTestSandbox } from '../support/world.ts'

test.each([true, false])('who answers a code a second time is told so; approved: %s', async (approve) => {
  const world = await openTestSandbox()
  const asked = { clientId: 'dray-cli', scope: undefined, device: 'A laptop' }
  const started = await world.write((tx, _stored, now) => startDeviceLogin(tx, asked, now, randomBytes))
  if (started instanceof OAuthError) throw started
  const desk = openDeviceBackend(world, { now: () => 0, random: randomBytes })
  const answer = { approve, account: 'member' }
  const { outcome } = await desk.decide(started.userCode, answer)
  expect(outcome).toBe(approve ? 'approved' : 'denied')
  expect(await desk.decide(started.userCode, answer)).toEqual({ outcome: 'answered' })
})
