/** A command that is killed at any moment and typed again takes effect once, and the second run prints the response. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Shipment, Shipments } from '../support/answers.ts'
import { recordTally, iterations, seed } from '../support/battery.ts'
import { createCommand } from '../support/clerk.ts'
import { builtProgram, startDray, splitCommandLine } from '../support/program.ts'
import { fc } from '../support/properties.ts'

const KILLS = iterations(20, 60)

test(`${KILLS} kills double nothing and leave nothing open (seed ${seed})`, async () => {
  await builtProgram()
  const home = mkdtempSync(join(tmpdir(), 'dray-killed-'))
  const dray = (line: string) => startDray(splitCommandLine(line), { env: { HOME: home, DRAY_HOME: home } })
  const pending = join(home, 'state/pending-calls')
  const open = () => (existsSync(pending) ? readdirSync(pending) : [])
  let resumed = 0
  try {
    expect((await dray('carrier list').ended).exitCode).toBe(0)
    const began = performance.now()
    await dray('carrier list').ended
    const usual = performance.now() - began
    mkdirSync(pending, { recursive: true, mode: 0o700 })
    // Fractions of a command's usual duration here: a kill should hit it in the middle.
    const shares = fc.sample(fc.double({ min: 0.4, max: 1.4, noNaN: true }), { seed, numRuns: KILLS })
    let index = 0
    // No machine promises that one of so many kills meets an open call: then some more, each once it is open.
    for (; index < KILLS || (resumed === 0 && index < KILLS * 10); index++) {
      const command = createCommand(`R-${index}`, '--json')
      const first = dray(command)
      const kill = (): void => first.kill('SIGKILL')
      // Every fourth once it wrote down what it is about: time alone may miss that moment on a busy machine.
      const share = index % 4 === 0 ? undefined : shares[index]
      const watcher = share === undefined ? watch(pending, kill) : undefined
      const timer = share === undefined ? undefined : setTimeout(kill, usual * share)
      const { stdout } = await first.ended
      clearTimeout(timer)
      watcher?.close()
      // A call with its response printed and its record deleted must not be repeated: that would create another parcel.
      if (stdout.endsWith('}\n') && open().length === 0) continue
      const again = await dray(command).ended
      expect(again.exitCode, again.stderr).toBe(0)
      expect(again.json<Shipment>().reference).toBe(`R-${index}`)
      if (again.stderr.includes('Resuming')) resumed += 1
    }
    const { data } = (await dray('carrier list --all --json').ended).json<Shipments>()
    const distinct = new Set(data.map(({ reference }) => reference)).size
    recordTally({ tries: index, lost: index - distinct, doubled: data.length - distinct })
    expect(data).toHaveLength(index)
    expect(distinct).toBe(index)
    expect(open()).toEqual([])
    expect(resumed).toBeGreaterThan(0)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
