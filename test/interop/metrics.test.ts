/** The metrics of a built service, read by Prometheus and its linter of Debian. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from '../support/after-file.ts'
import { installProgram } from '../support/debian.ts'
import { builtProgram, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)
beforeAll(() => installProgram('prometheus', 'prometheus'))

/** Starts a service with metrics at an address of their own. */
async function serve(flags: string): Promise<{ url: string; metrics: URL }> {
  const home = await makeTempFolder()
  const env = { HOME: home, DRAY_HOME: join(home, 'dray') }
  const server = startDray(splitCommandLine(`serve --port 0 --json --quiet --metrics 127.0.0.1:0 ${flags}`), {
    env,
  })
  afterFile(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  const told = await Promise.race([
    new Promise<string>((resolve) => server.onOutput(resolve)),
    server.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  const { url, metrics_url } = JSON.parse(told) as { url: string; metrics_url: string }
  return { url, metrics: new URL(metrics_url) }
}

/** Starts Prometheus, which reads the metrics four times a second. Returns a function that asks it for a value. */
async function collect({ host, pathname }: URL): Promise<(query: string) => Promise<string | undefined>> {
  const folder = await makeTempFolder()
  const config = join(folder, 'prometheus.yml')
  fs.writeFileSync(
    config,
    `scrape_configs:
- job_name: dray
  scrape_interval: 250ms
  scrape_timeout: 250ms
  metrics_path: ${pathname}
  static_configs: [{ targets: ['${host}'] }]
`,
  )
  const port = await findFreePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const exit = once(child, 'exit')
  afterFile(async () => {
    child.kill('SIGTERM')
    await exit
  })
  return async (query) => {
    const address = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok !== true) return undefined
    const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
    return data.result[0]?.value[1]
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test.each(['', '--cluster 2'])(
  'dray serve %s has metrics that promtool and Prometheus read',
  async (flags) => {
    const { url, metrics } = await serve(flags)
    const ask = (): Promise<Response> => fetch(`${url}/healthz`, { headers: { connection: 'close' } })
    for (let count = 0; count < 30; count += 1) await ask()
    const text = await (await fetch(metrics, { headers: { accept: 'text/plain' } })).text()
    const { stdout, stderr, exitCode } = await execa('promtool', ['check', 'metrics'], {
      input: text,
      reject: false,
    })
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: '', exitCode: 0 })

    const query = await collect(metrics)
    await expect.poll(() => query('dray_requests_total{operation="healthz",status="200"}')).toBe('30')
    expect(await query('up{job="dray"}')).toBe('1')
    expect(await query('dray_request_duration_seconds_bucket{operation="healthz",le="+Inf"}')).toBe('30')
    expect(await query('dray_processes')).toBe(flags === '' ? '1' : '2')
    await ask()
    await expect.poll(() => query('dray_requests_total{operation="healthz",status="200"}')).toBe('31')
  },
)
