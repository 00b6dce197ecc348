import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/base/config.ts'

test.for([
  'postgres://shop:a,b@127.0.0.1:5432/commerce',
  'postgres://127.0.0.1/commerce?options=a,b',
])('DATABASE_URL may contain a comma outside the host: %s', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test.for([
  'postgres://a:5432,b:5432/commerce',
  'postgres://shop:secret@a,b/commerce',
])('DATABASE_URL with two hosts is rejected: %s', (DATABASE_URL) => {
  expect(() => readConfig({ DATABASE_URL })).toThrow(ConfigError)
})
