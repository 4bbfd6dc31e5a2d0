import { join } from 'node:path'
import { defineCommand } from '../../cli/define-command.ts'
import { isFileNotFoundError, readFile } from '../../cli/files/read.ts'
import { writeOutputFile } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { assertProfile, currentConfig } from '../../cli/profiles.ts'
import { PROJECT_FILE } from '../../cli/project-file.ts'
import { AppError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'

export const profileBind = defineCommand({
  words: 'profile bind',
  summary: 'Use a profile in this folder and its subfolders',
  description: 'Writes .dray.json, which you can commit: it has the profile’s name, but no URL and no token.',
  positionals: [{ name: 'name', description: 'profile name. Default: the current profile' }],
  examples: ['dray profile bind work'],
  danger: 'write',
  answer: { fields: ['profile', 'project_file'] },
  async run(cli, { name = cli.settings.profile }) {
    const profile = String(name)
    assertProfile(currentConfig(cli), profile)
    const path = join(cli.runtime.cwd, PROJECT_FILE)
    const text = `${JSON.stringify({ ...read(path), profile }, null, 2)}\n`
    const file = { name: 'project file', isOurs: () => true }
    await writeOutputFile({ path, file, force: true }, cli.runtime.pid, text)
    await printResult(
      cli,
      { profile, project_file: path },
      { done: 'This folder and its subfolders now use the profile {profile}.', next: 'dray profile show' },
    )
    return 0
  },
})

/** Reads the project file; its other settings stay. */
function read(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(readFile(path, 'project file')),
    )
    if (isRecord(value)) return value
  } catch (error) {
    if (isFileNotFoundError(error)) return {}
    if (error instanceof AppError) throw error
  }
  throw new AppError('config_error', `${path} exists and is not a JSON object; it was not changed.`)
}
