import { expect, test } from 'vitest'
import { parseDatabaseUrl } from '../../src/base/database-url.ts'

test('a DATABASE_URL with several hosts is split into one URL for each host', () => {
  expect(
    parseDatabaseUrl('postgres://u:a,b@one,two:5433,[::1]:5434/shop?sslmode=require&target_session_attrs=any'),
  ).toEqual({
    hosts: [
      'postgres://u:a,b@one/shop?sslmode=require',
      'postgres://u:a,b@two:5433/shop?sslmode=require',
      'postgres://u:a,b@[::1]:5434/shop?sslmode=require',
    ],
    attributes: 'any',
  })
})

test.each([
  'postgres://u:p@one:5432/shop?options=-c%20lock_timeout%3D1',
  'postgresql://one',
  'postgres:///shop?host=/tmp',
])('the DATABASE_URL %s is not split and stays unchanged', (text) => {
  expect(parseDatabaseUrl(text)).toEqual({ hosts: [text], attributes: undefined })
})

test.each([
  ['mysql://one/shop', 'must be a postgres:// address'],
  ['postgres://one:port/shop', 'must be a postgres:// address'],
  ...['p#w', 'p/w', '12/w', 'p?w', 'p%w', 'p@/w'].map((password) => [
    `postgres://u:${password}@one:5432/shop`,
    'must be a postgres:// address with percent-encoding in its password: %40 for @, %23 for #, %2F for /, %3F for ? and %25 for %',
  ]),
  ['postgres://one,,two/shop', 'must have a host before and after each comma'],
  [`postgres://${Array(17).fill('one').join(',')}/shop`, 'must list at most 16 hosts'],
  ['postgres:///shop?host=one,two', 'must list its hosts before the name of the database, not as a parameter'],
  [
    'postgres://one,two/shop?target_session_attrs=writable',
    'must have one of these values as target_session_attrs: any, read-write, read-only, primary, standby, prefer-standby',
  ],
])('the DATABASE_URL %s is rejected', (text, fault) => {
  expect(parseDatabaseUrl(text)).toEqual({ fault })
})
