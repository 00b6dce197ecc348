import { expect, test } from 'vitest'
import type { ContractChange } from '../../../registry/service/changelog.ts'
import { readAcceptedBreaks, withoutAccepted } from '../../../scripts/release/accepted-breaks.ts'

const change = (what: string): ContractChange => ({ kind: 'changed', isBreaking: true, subject: 'createOrder', what })
const entry = { what: 'POST /orders needs a name.', reason: 'An order without a name could not be delivered.' }

test('accepts a breaking change that an entry names, and no other', () => {
  const result = withoutAccepted([change(entry.what), change('POST /orders needs a note.')], [entry])
  expect(result.refused.map(({ what }) => what)).toEqual(['POST /orders needs a note.'])
  expect(result.stale).toEqual([])
})

test('reports an entry that matches no breaking change', () => {
  expect(withoutAccepted([], [entry]).stale).toEqual([entry])
})

test('the checked-in list parses', async () => {
  await expect(readAcceptedBreaks()).resolves.toBeInstanceOf(Array)
})
