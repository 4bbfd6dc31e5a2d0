import { describe, expect, test } from 'vitest'
import { forPsql, hidePassword, parsePostgresUrl } from '../../src/core/postgres-url.ts'

const LONE = { host: 'db', port: 5432 }

describe('the hosts of an address', () => {
  test.each([
    ['postgres://db/dray', ['db:5432']],
    ['postgresql://u:p@db:6000/dray', ['db:6000']],
    ['postgres://u:p@h1:5432,h2:5433/db?target_session_attrs=read-write', ['h1:5432', 'h2:5433']],
    ['postgres://h1,h2:5433/db', ['h1:5432', 'h2:5433']],
    ['postgres://u@[2001:db8::1]:5432,[::1]/db', ['2001:db8::1:5432', '::1:5432']],
    ['postgres:///db?host=h1,h2&port=5432,5433', ['h1:5432', 'h2:5433']],
    ['postgres:///db?host=h1,h2&port=6000', ['h1:6000', 'h2:6000']],
    ['postgres:///db?host=::1,h2', ['::1:5432', 'h2:5432']],
    ['postgres://u@base/db?host=/run/postgresql', ['/run/postgresql:5432']],
    ['postgres://%2Frun%2Fpostgresql/db', ['/run/postgresql:5432']],
    ['postgres://u:a,b@h1,h2/db', ['h1:5432', 'h2:5432']],
    ['postgres://bücher,h2/db', ['bücher:5432', 'h2:5432']],
    ['postgres:///db', [':5432']],
  ])('of %s are found', (url, hosts) => {
    expect(parsePostgresUrl(url).hosts.map(({ host, port }) => `${host}:${port}`)).toEqual(hosts)
  })

  test('are given to the driver one at a time, with user, path and other parameters as they were', () => {
    const { hosts, urlOf } = parsePostgresUrl(
      'postgres://u:p%40w@h1:1,[::1]:2/db?host=h1,::1,/run/pg&port=1,2,3&sslmode=disable&target_session_attrs=any&pooler=session',
    )
    expect(hosts.map(urlOf)).toEqual([
      'postgres://u:p%40w@h1:1/db?sslmode=disable',
      'postgres://u:p%40w@[::1]:2/db?sslmode=disable',
      'postgres://u:p%40w@localhost/db?sslmode=disable&host=%2Frun%2Fpg&port=3',
    ])
  })

  test('of an address with one are left as they are', () => {
    const url = 'postgres://u:p w@db/dray?sslmode=require&connect_timeout=3'
    expect(parsePostgresUrl(url).urlOf(LONE)).toBe(url)
  })
})

test('several hosts are wanted for writing, and one as it is, unless the address says it', () => {
  expect(parsePostgresUrl('postgres://h1,h2/db').wanted).toBe('read-write')
  expect(parsePostgresUrl('postgres://h1/db').wanted).toBe('any')
  for (const wanted of ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'])
    expect(parsePostgresUrl(`postgres://h1,h2/db?target_session_attrs=${wanted}`).wanted).toBe(wanted)
  expect(parsePostgresUrl('postgres://h1/db?connect_timeout=4&pooler=transaction')).toMatchObject({
    connectMs: 4000,
    pooler: 'transaction',
  })
  expect(parsePostgresUrl('postgres://h1/db?connect_timeout=0').connectMs).toBeUndefined()
})

describe('a wrong part is named, and what is secret is not shown', () => {
  test.each([
    ['postgres://u:secret@h1:54x2,h2/db', /a port is a number from 1 to 65535, not 54x2/],
    ['postgres://u:secret@h1:0/db', /a port/],
    ['postgres://u:secret@h1:65536/db', /not 65536/],
    ['postgres://u:secret@h1,,h2/db', /the host at place 2 is empty/],
    ['postgres://u:secret@h1,h2,/db', /the host at place 3 is empty/],
    ['postgres://u:secret@h1,h1/db', /the host h1 is in it twice/],
    ['postgres://u:secret@::1/db', /::1 is no host/],
    ['postgres://u:secret@[h1]/db', /\[h1\] is no IPv6 address/],
    ['postgres://u:secret@[2001:zz::1]/db', /2001:zz::1 is no host/],
    ['postgres://u:secret@h 1,h2/db', /h 1 is no host/],
    ['postgres://u:secret@h1;h2/db', /h1;h2 is no host/],
    ['postgres:///db?host=h1,h2,h3&port=1,2', /2 ports for 3 hosts/],
    [
      'postgres://h1,h2/db?target_session_attrs=readwrite',
      /target_session_attrs is any, read-write, .* not readwrite/,
    ],
    ['postgres://h1,h2/db?target_session_attrs=', /target_session_attrs is/],
    ['postgres://h1,h2/db?target_session_attr=any', /target_session_attr is not a known parameter/],
    ['postgres://h1/db?sslmod=require', /sslmod is not a known parameter/],
    ['postgres://h1/db?pooler=statement', /pooler is transaction or session, not statement/],
    ['postgres://h1/db?connect_timeout=4s', /connect_timeout is a number of seconds from 0 to 30, not 4s/],
    ['postgres://h1/db?connect_timeout=31', /connect_timeout/],
    ['postgres://h1/db?host=a&host=b', /host is in it twice/],
    ['postgres://h1?dbname=db', /dbname is not read/],
    ['postgres://u:sec/ret@h1/db', /a character of the user or the password ends it early/],
    ['postgres://u:12/secret@h1/db', /a character of the user or the password/],
    ['postgres://u:12?secret@h1/db', /a character of the user or the password/],
    ['postgres://u:sec#ret@h1/db', /a character of the user or the password/],
    ['postgres://h1/db#x', /has no form of postgres:/],
  ])('%s', (url, message) => {
    let error: unknown
    try {
      parsePostgresUrl(url, '--store')
    } catch (caught) {
      error = caught
    }
    expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(message) })
    expect(String(error)).toMatch(/^DrayError: --store: /)
    expect(String(error)).not.toMatch(/\bsec\b|secret|ret@/)
  })
})

test('a password is hidden wherever it stands, also in an address of several hosts or a wrong one', () => {
  expect(hidePassword('postgres://u:p@w@h1:1,h2:2/db?sslpassword=x&password=y&a=b')).toBe(
    'postgres://u:***@h1:1,h2:2/db?sslpassword=***&password=***&a=b',
  )
  expect(hidePassword('postgres://u:p@h1,h2/db', '')).toBe('postgres://u@h1,h2/db')
  expect(hidePassword('postgres://h1:5432,h2:5433/db')).toBe('postgres://h1:5432,h2:5433/db')
  for (const wrong of ['postgres://u:p/w@h1/db', 'postgres://u:p?w@h1/db', 'postgres://u:p#w@h1/db'])
    expect(hidePassword(wrong)).toBe('postgres://***')
})

test('an address for psql has no parameter that psql refuses', () => {
  expect(forPsql('postgres://h/db?pooler=transaction')).toBe('postgres://h/db')
  expect(forPsql('postgres://h/db?pooler=transaction&sslmode=disable')).toBe(
    'postgres://h/db?sslmode=disable',
  )
  expect(forPsql('postgres://h/db?sslmode=disable&pooler=session')).toBe('postgres://h/db?sslmode=disable')
})
