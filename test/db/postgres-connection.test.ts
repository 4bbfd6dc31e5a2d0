import pg from 'pg'
import { expect, test } from 'vitest'
import { makeConnection } from '../../src/db/postgres-connection.ts'

test('a connection that is cut reports its loss once, also when the driver notices it later', () => {
  const client = Object.assign(new pg.Client(), { release() {} })
  client.connection.stream.on('error', () => {})
  const reports: string[] = []
  const connection = makeConnection(client, {
    isPooled: () => false,
    onSlow: () => reports.push('slow'),
    onSilence: () => reports.push('silent'),
    onLost: () => reports.push('lost'),
    onNotPrepared: () => reports.push('not prepared'),
  })
  connection.cut(new Error('another server is used now'))
  client.emit('error', new Error('Connection terminated unexpectedly'))
  expect(connection.lost()).toBe(true)
  expect(reports).toEqual(['lost'])
})
