import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

type Streams = { stdout?: number | 'pipe'; stderr?: number | 'pipe'; stdin?: string }

/** Runs a few lines with a real `io` in their own process; their error decides the exit code. */
function start(lines: string, { stdout = 'pipe', stderr = 'pipe' }: Streams = {}) {
  const script = `
    import { processIo } from './src/cli/io.ts'
    const io = processIo({ env: process.env })
    try {
      ${lines}
    } catch (error) {
      process.exitCode = error.exitCode ?? 99
      console.error(error.name, error.code ?? '')
    }`
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['pipe', stdout, stderr],
  })
}

async function run(lines: string, streams: Streams = {}) {
  const child = start(lines, streams)
  child.stdin?.end(streams.stdin ?? '')
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? Promise.resolve('') : text(stream))),
  )
  return { out, err, code: await exit }
}

describe('stdout', () => {
  test('takes a large result whole from a reader that is slow, even when the pipe does not block', async () => {
    // Reading process.stdout makes the pipe non-blocking, as another process on the pipe may do.
    const child = start(`process.stdout
      const first = io.stdout.write('a'.repeat(5_000_000))
      const second = io.stdout.write('z')
      await Promise.all([first, second])`)
    const chunks: string[] = []
    for await (const chunk of child.stdout ?? []) {
      chunks.push(String(chunk))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const written = chunks.join('')
    expect(written.length).toBe(5_000_001)
    expect(written.endsWith('az')).toBe(true)
  })

  test('ends quietly when its reader is gone', async () => {
    const child = start(`for (;;) await io.stdout.write('line\\n'.repeat(1000))`)
    child.stdout?.once('data', () => child.stdout?.destroy())
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).toBe(0)
  })

  test.runIf(fs.existsSync('/dev/full'))('fails with an exit code when the disk is full', async () => {
    const full = fs.openSync('/dev/full', 'w')
    try {
      expect(await run(`await io.stdout.write('result\\n')`, { stdout: full })).toMatchObject({
        code: 1,
        err: 'DrayError output_failed\n',
      })
    } finally {
      fs.closeSync(full)
    }
  })

  test('of a pipe loads no module for terminals', async () => {
    const { out } = await run(`
      await io.stdout.write(String(io.stdout.isTTY) + io.stdout.columns + io.stderr.isTTY)
      await io.stdout.write(process.moduleLoadList.some((name) => /NativeModule (tty|net)$/.test(name)) ? ' loaded' : '')`)
    expect(out).toBe('falseundefinedfalse')
  })
})

test.runIf(fs.existsSync('/dev/full'))('a notice that cannot be written stops nothing', async () => {
  const full = fs.openSync('/dev/full', 'w')
  try {
    const lines = `await io.stderr.write('notice'); await io.stdout.write('done')`
    expect(await run(lines, { stderr: full })).toMatchObject({ code: 0, out: 'done' })
  } finally {
    fs.closeSync(full)
  }
})

describe('stdin', () => {
  test('is read to its end', async () => {
    const lines = `await io.stdout.write(new TextDecoder().decode(await io.stdin.readUpTo(1_000_000)) + io.stdin.isTTY)`
    expect((await run(lines, { stdin: 'ä\n'.repeat(50_000) })).out).toBe(`${'ä\n'.repeat(50_000)}false`)
  })

  test('is read no further than the limit', async () => {
    const lines = `await io.stdout.write(String((await io.stdin.readUpTo(1000)).length))`
    expect((await run(lines, { stdin: 'x'.repeat(5000) })).out).toBe('1000')
  })
})
