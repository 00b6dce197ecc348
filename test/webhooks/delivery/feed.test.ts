import { expect, test } from 'vitest'
import { listEvents } from '../../../src/store/webhooks/events.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

test('the event feed returns an event with exactly the bytes that the webhook receiver got', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const page = { limit: 2, after: undefined }
  const event = only(await listEvents(database, shop.merchantId, { createdFrom: shop.now() }, page))
  expect(event.text).toBe(only(receiver.received).rawBody)
  expect(JSON.parse(event.text)).toMatchObject({ id: event.id, createdAt: event.createdAt })
})
