import { expect, test } from 'vitest'
import type { ContractChange } from '../../../registry/service/changelog.ts'
import { readAcceptedBreaks, withoutAccepted } from '../../../scripts/release/accepted-breaks.ts'

const change = (what: string): ContractChange => ({ kind: 'changed', isBreaking: true, subject: 'createOrder', what })
const entry = { what: 'POST /orders needs a name.', reason: 'An order without a name could not be delivered.' }

test('the release check accepts a breaking change that the list of accepted changes names, and no other breaking change', () => {
  const result = withoutAccepted([change(entry.what), change('POST /orders needs a note.')], [entry])
  expect(result.refused.map(({ what }) => what)).toEqual(['POST /orders needs a note.'])
  expect(result.stale).toEqual([])
})

test('the release check reports an entry of the list of accepted changes that matches no breaking change', () => {
  expect(withoutAccepted([], [entry]).stale).toEqual([entry])
})

test('the committed list of accepted breaking changes can be parsed', async () => {
  await expect(readAcceptedBreaks()).resolves.toBeInstanceOf(Array)
})
