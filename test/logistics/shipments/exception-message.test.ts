import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shipmentExceptionCodes } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { noKobo } from '../../../src/commerce/money.ts'
import { messageOf } from '../../../src/logistics/shipments/exception-message.ts'

/**
 * Tests the messages of shipment exceptions. They are not stored: the service builds them when it reads a shipment. No
 * code depends on their text.
 */

const at = toTimestamp(0)

test.for(shipmentExceptionCodes)('the exception %s has a message built from its data', (code) => {
  const amounts = { allowedKobo: noKobo, chargedKobo: noKobo }
  const message = messageOf({ code, carrier: 'chowdeck', attemptNumber: 1, at, amounts })
  expect(message).toMatch(/^[A-Z].*\.$/)
})

test('an exception’s message uses the carrier’s current display name', () => {
  const facts = { carrierReference: 'CD-1' }
  expect(messageOf({ code: 'duplicate_dispatch', carrier: 'chowdeck', facts, at })).toContain(
    'Chowdeck Relay also has order CD-1',
  )
})

test('an exception that was stored with a message keeps the message', () => {
  expect(messageOf({ code: 'tracking_stalled', message: 'It is silent.', at })).toBe('It is silent.')
})

test('no source file of logistics, commerce or payments searches the text of an exception message', async () => {
  const src = fileURLToPath(new URL('../../../src', import.meta.url))
  const found: string[] = []
  for (const folder of ['logistics', 'commerce', 'payments']) {
    for (const name of await readdir(join(src, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const text = await readFile(join(src, folder, name), 'utf8')
      if (/[mM]essage\??\.(startsWith|endsWith|includes|match|search)\(|[mM]essage === [^u]/.test(text))
        found.push(name)
    }
  }
  expect(found).toEqual([])
})
