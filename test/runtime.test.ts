import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { findPaths } from '../src/paths.ts'

describe('where things live', () => {
  test('HOME, the folders of XDG, and DRAY_HOME before them', () => {
    expect(findPaths({ HOME: '/home/ada' }, 'linux').config).toBe('/home/ada/.config/dray')
    expect(findPaths({ HOME: '/home/ada', XDG_DATA_HOME: '/data' }, 'linux').data).toBe('/data/dray')
    expect(findPaths({ HOME: '/home/ada', XDG_DATA_HOME: 'data' }, 'linux').data).toBe(
      '/home/ada/.local/share/dray',
    )
    expect(findPaths({ HOME: '/home/ada', DRAY_HOME: '/d' }, 'linux').state).toBe('/d/state')
  })

  test.each([{}, { HOME: '' }, { HOME: 'relative' }])(
    'without a usable HOME (%j) it is never the working folder, where a configuration may be a stranger’s',
    (env) => {
      expect(findPaths(env, 'linux').config).toBe(`${userInfo().homedir}/.config/dray`)
    },
  )
})
