/** An installation that has the fonts of Latin, Greek and Cyrillic alone, as npm installs dray: what others need is said. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, expect, test } from 'vitest'
import {
  builtProgram,
  environment,
  type ProgramOptions,
  readServerUrl,
  startDray,
} from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

const FONTS = '@fontsource-variable'
const NAMES = ['Grace Okoro', 'Γιώργος Παππάς', 'Олена Ґанна', 'สมชาย ใจดี', '王小明']
const INSTALL = `npm install --global ${FONTS}/noto-sans-thai@5 ${FONTS}/noto-sans-sc@5`
const COLUMNS =
  'reference,recipient_name,address_line1,city,postal_code,country_code,weight_grams,length_mm,width_mm,height_mm,service_level'

type Upload = { data: { tracking_number: string }[] }

let modules: string
let folder: string
let options: ProgramOptions & { env: Record<string, string> }

/** Puts a package of this clone into the installation. */
function install(name: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
}

const dray = (...words: string[]) => startDray(words, options).ended

beforeAll(builtProgram)
beforeAll(async () => {
  modules = join(await makeTempFolder(), 'lib/node_modules')
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, part), join(modules, 'dray', part), { recursive: true })
  for (const name of ['@napi-rs', 'pg', `${FONTS}/noto-sans`]) install(name)
  folder = await makeTempFolder()
  options = {
    launcher: join(modules, 'dray/bin/dray.js'),
    cwd: folder,
    env: { HOME: folder, DRAY_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') },
  }
  const rows = NAMES.map(
    (name, at) => `F-${at + 1},${name},12 Friar Street,Reading,RG1 1DB,GB,1400,300,200,100,next_day`,
  )
  writeFileSync(join(folder, 'm.csv'), [COLUMNS, ...rows, ''].join('\n'))
})

test('a label in a script without a font is rejected with the command that installs it, and then printed', async () => {
  const upload = await dray('carrier', 'upload', 'm.csv', '--hub', 'LON1', '--yes', '--labels', 'all.pdf')
  expect(upload.exitCode).toBe(6)
  expect(upload.stderr).toContain('These fonts are not installed: Thai (ZC')
  expect(upload.stderr).toContain(`\`${INSTALL}\``)
  expect(upload.stderr).toContain('The parcels exist: run the same command again')
  expect(existsSync(join(folder, 'all.pdf'))).toBe(false)

  const { data } = (await dray('carrier', 'list', '--json')).json<Upload>()
  const numbers = (
    await Promise.all(
      NAMES.map(async (_, at) =>
        (await dray('carrier', 'show', `F-${at + 1}`, '--json')).json<Upload['data'][0]>(),
      ),
    )
  ).map(({ tracking_number }) => tracking_number)
  expect(data).toHaveLength(NAMES.length)
  const [latin = '', greek = '', cyrillic = '', thai = '', chinese = ''] = numbers

  const printed = await dray('carrier', 'label', latin, greek, cyrillic, '--out', 'three.pdf')
  expect({ code: printed.exitCode, warned: printed.stderr.includes('font') }).toEqual({
    code: 0,
    warned: false,
  })

  const pictures = await dray(
    'carrier',
    'label',
    latin,
    thai,
    chinese,
    '--format',
    'png',
    '--out',
    'labels',
    '--json',
  )
  expect(pictures.exitCode).toBe(6)
  expect(pictures.json()).toMatchObject({
    code: 'font_not_installed',
    detail: `These fonts are not installed: Thai (${thai}), Chinese (${chinese}).`,
    hint: `Install them on the machine that runs dray: \`${INSTALL}\`.`,
    install_command: INSTALL,
  })
  expect(existsSync(join(folder, 'labels')) ? readdirSync(join(folder, 'labels')) : []).toEqual([])

  const one = {
    code: 'font_not_installed',
    detail: `This font is not installed: Thai (${thai}).`,
    install_command: `npm install --global ${FONTS}/noto-sans-thai@5`,
  }
  const { token } = (await dray('sandbox', 'account', 'token', 'everything', '--json')).json<{
    token: string
  }>()
  const client = new Client({ name: 'agent', version: '1.0' })
  const args = [options.launcher ?? '', 'mcp']
  const env = environment(options.env) as Record<string, string>
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  const readLabel = () => client.readResource({ uri: `dray://shipments/${thai}/label.pdf` })
  await expect(readLabel()).rejects.toMatchObject({ data: one })
  await client.close()

  const service = startDray(['serve', '--port', '0', '--json'], options)
  const url = await readServerUrl(service)
  const path = `${url}/v1/shipments/${thai}/label?format=zpl`
  const fetchLabel = () => fetch(path, { headers: { authorization: `Bearer ${token}` } })
  const refused = await fetchLabel()
  expect([refused.status, await refused.json()]).toEqual([501, expect.objectContaining(one)])

  // What the command does, while the service runs on.
  for (const name of ['noto-sans-thai', 'noto-sans-sc']) install(`${FONTS}/${name}`)
  const answer = await fetchLabel()
  expect([answer.status, (await answer.text()).slice(0, 3)]).toEqual([200, '^XA'])
  service.kill('SIGTERM')
  await service.ended
  expect((await dray('carrier', 'label', ...numbers, '--out', 'all.pdf')).exitCode).toBe(0)
})
