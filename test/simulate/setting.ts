/** The setting of a run: the service, bundled for each process, and the store that every seed begins with. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeWorkFolder } from '../support/work-folder.ts'
import { bundleService } from './bundle.ts'
import type { Bundle } from './gateways.ts'
import { runSeed, type Setting } from './seed.ts'
import { makeTown } from './town.ts'

const ROOT = join(import.meta.dirname, '../..')
const PLANTED = join(ROOT, 'test/seeded-bugs')

/** Makes a setting in a folder that is removed when this process ends. */
export async function makeSetting(): Promise<Setting> {
  const folder = makeWorkFolder().path
  const load = await loader(ROOT, folder)
  const observer = await load('observer')
  const setting = {
    bundles: await loadAll(load),
    observer,
    town: await makeTown(observer, folder),
    folder,
  }
  await warmUp(setting)
  return setting
}

/** Returns the names of the planted bugs: patches of `src/`, each in a file of `test/seeded-bugs/`. */
export function listPlanted(): string[] {
  return listPatches(PLANTED)
}

/** Returns the names of the patches in a folder. */
export function listPatches(folder: string): string[] {
  return readdirSync(folder).flatMap((file) =>
    file.endsWith('.patch') ? file.slice(0, -'.patch'.length) : [],
  )
}

/** Returns the setting with gateways that have a planted bug, in a copy of the sources. */
export async function plant(name: string, setting: Setting): Promise<Setting> {
  const copy = mkdtempSync(join(setting.folder, `${name}-`))
  plantPatch(join(PLANTED, `${name}.patch`), copy, ['src', 'test/simulate', 'package.json'])
  const load = await loader(copy, copy)
  const planted = { ...setting, bundles: await loadAll(load) }
  await warmUp(planted)
  return planted
}

/** Copies these parts of the repository to a folder, and applies a patch there. */
export function plantPatch(patch: string, copy: string, parts: readonly string[]): void {
  mkdirSync(join(copy, 'test'), { recursive: true })
  for (const part of parts) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  execFileSync('git', ['apply', patch], { cwd: copy })
}

/** Returns what loads the service under `root` again each time. */
async function loader(root: string, folder: string): Promise<(name: string) => Promise<Bundle>> {
  const file = join(folder, 'service.mjs')
  await bundleService(root, file)
  return async (name) => (await import(`${pathToFileURL(file).href}?${name}`)) as Bundle
}

/** Loads the service for as many processes as a seed may have. */
async function loadAll(load: (name: string) => Promise<Bundle>): Promise<Bundle[]> {
  return [await load('one'), await load('two'), await load('three')]
}

/** Lets modules keep what they make at their first use, such as compiled schemas: the first seed must not differ by it. */
async function warmUp(setting: Setting): Promise<void> {
  // Each of the bundles serves in one of these.
  for (const seed of [-1, -2, -3, -4]) await runSeed(seed, setting, { twice: false })
}
