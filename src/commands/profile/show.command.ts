import { defineCommand } from '../../cli/define-command.ts'
import { explainSettings, shownTarget } from '../../cli/explain.ts'
import { printResult } from '../../cli/print.ts'
import { assertProfile, currentConfig } from '../../cli/profiles.ts'
import { resolveSettings, type Settings } from '../../cli/settings.ts'

export const profileShow = defineCommand({
  words: 'profile show',
  summary: 'Show the current settings and where each comes from',
  positionals: [{ name: 'name', description: 'another profile than the one in use' }],
  flags: [{ flag: 'explain', kind: 'boolean', description: 'every setting with its value and its source' }],
  examples: ['dray profile show', 'dray profile show --explain', 'dray profile show work --json'],
  async run(cli, { name, explain: all }) {
    let { settings } = cli
    if (typeof name === 'string') {
      assertProfile(currentConfig(cli), name)
      settings = resolveSettings({ ...cli.globals, profile: name }, cli.runtime, cli.spec.words)
    }
    if (all === true) {
      await printResult(
        cli,
        { data: explainSettings(settings, cli.globals), has_more: false, next_cursor: null },
        {
          list: true,
          columns: [{ field: 'setting' }, { field: 'value' }, { field: 'source' }, { field: 'from' }],
        },
      )
    } else {
      await printResult(cli, toSheet(settings), { next: 'dray profile show --explain' })
    }
    return 0
  },
})

function toSheet(settings: Settings): Record<string, unknown> {
  const { target, defaultParcel, maps } = settings
  return {
    name: settings.profile,
    ...shownTarget(target),
    account: target.account ?? null,
    protected: settings.protected,
    has_token: target.kind === 'remote' && (target.token !== undefined || target.login !== undefined),
    output: settings.format,
    pay: settings.pay ?? null,
    default_parcel: Object.keys(defaultParcel).length === 0 ? null : defaultParcel,
    maps: Object.keys(maps),
    config_file: settings.configFile,
    project_file: settings.projectFile ?? null,
  }
}
