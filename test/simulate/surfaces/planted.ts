/** Finds the bugs of `test/seeded-bugs/surfaces/`: each is put into a copy of the sources, in which stories are told. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { makeWorkFolder } from '../../support/work-folder.ts'
import { listPatches, plantPatch } from '../setting.ts'

const PATCHES = join(import.meta.dirname, '../../seeded-bugs/surfaces')
/** The files of the repository that the stories need. */
const PARTS = [
  'src',
  'test/simulate',
  'test/support',
  'test/adversarial',
  'package.json',
  'rolldown.config.ts',
]
/** A bug is looked for so long, in processor time. */
const MAX_SEARCH_MINUTES = 1
/** More seeds than are told in that time. */
const SEEDS = 1000

/** Looks for each planted bug, or those named, and prints the contradiction by which it is found. Returns whether all are found. */
export async function findPlantedContradictions(
  names: readonly string[],
  print: (line: string) => void,
): Promise<boolean> {
  const { path: folder, remove } = makeWorkFolder()
  let areAllFound = true
  try {
    for (const name of listPatches(PATCHES).filter((each) => names.length === 0 || names.includes(each))) {
      const begun = performance.now()
      const copy = join(folder, name)
      plantPatch(join(PATCHES, `${name}.patch`), copy, PARTS)
      const found = await tellUntilFound(copy)
      areAllFound &&= found !== undefined
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      print(`${name}: ${seconds} s  ${found?.slice(0, 240) ?? 'not found'}`)
    }
  } finally {
    remove()
  }
  return areAllFound
}

/** Tells stories in a copy until two surfaces disagree. Returns the line that says so. */
function tellUntilFound(copy: string): Promise<string | undefined> {
  const main = join(copy, 'test/simulate/main.ts')
  const words = [
    main,
    'surfaces',
    '--until-found',
    '--seeds',
    `${SEEDS}`,
    '--minutes',
    `${MAX_SEARCH_MINUTES}`,
  ]
  return new Promise((resolve, reject) => {
    // The command exits 1 when it finds something.
    execFile(process.execPath, words, (_, stdout, stderr) => {
      if (!/contradictions$/m.test(stdout)) reject(new Error(stderr))
      resolve(/^seed .*$/m.exec(stdout)?.[0])
    })
  })
}
