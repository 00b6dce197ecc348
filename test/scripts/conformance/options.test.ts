import { describe, expect, test } from 'vitest'
import { readOptions, UsageError } from '../../../scripts/conformance/options.ts'
import { exitCodeOf } from '../../../scripts/conformance/verdict.ts'

describe('the command line of the conformance run', () => {
  const url = ['--url', 'http://127.0.0.1:1']

  test.for([
    [...url, '--token', 'svc_live_x'],
    [...url, '--token', 'svc_test_x', '--other-token', 'svc_live_x'],
    [...url, '--token', 'x'],
  ])('the conformance run rejects a token that is not a test token: %j', (args) => {
    expect(() => readOptions(args)).toThrow(UsageError)
    expect(readOptions([...args, '--live']).tokens.token).toBeDefined()
  })

  test.for([
    [],
    url,
    ['--url', 'nowhere', '--token', 'svc_test_x'],
    [...url, '--token', 'svc_test_x', '--runs', 'many'],
    [...url, '--token', 'svc_test_x', '--runs', '0'],
    [...url, '--token', 'svc_test_x', '--max-requests', '0'],
    [...url, '--token', 'svc_test_x', '--check', 'nothing'],
    ['--url', 'http://127.0.0.1:1/shop/', '--token', 'svc_test_x'],
    ['--url', 'http://127.0.0.1:1/?shop', '--token', 'svc_test_x'],
  ])('the conformance run prints its usage for wrong options: %j', (args) => {
    expect(() => readOptions(args)).toThrow(UsageError)
  })

  test('the conformance run takes the tokens from the environment, and options override them', () => {
    const environment = { COMMERCE_TOKEN: 'svc_test_a', COMMERCE_OTHER_TOKEN: 'svc_test_b', COMMERCE_NARROW_TOKEN: '' }
    expect(readOptions(url, environment).tokens).toEqual({ token: 'svc_test_a', 'other-token': 'svc_test_b' })
    expect(readOptions([...url, '--token', 'svc_test_c'], environment).tokens.token).toBe('svc_test_c')
    expect(() => readOptions(url, { COMMERCE_TOKEN: 'svc_live_a' })).toThrow(UsageError)
  })

  test.for([
    ['passed', 0],
    ['violated', 1],
    ['stopped', 1],
  ] as const)('a conformance run with the verdict %s exits with code %i', ([is, code]) => {
    expect(exitCodeOf({ is })).toBe(code)
    expect(exitCodeOf({ is: 'unseen', operations: [] })).toBe(1)
  })
})
