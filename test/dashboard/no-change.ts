import { expect } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { contentsOf } from '../support/database-contents.ts'

/** Tables of sessions and submitted forms, in which every request for a page may change rows. */
const bookkeeping = new Set(['sessions', 'submitted_forms', 'known_devices'])

export async function expectNoChangeOf(api: TestApi, run: () => Promise<void>): Promise<void> {
  const contents = async () =>
    Object.fromEntries(Object.entries(await contentsOf(api)).filter(([name]) => !bookkeeping.has(name)))
  const before = await contents()
  await run()
  expect(await contents()).toEqual(before)
}
