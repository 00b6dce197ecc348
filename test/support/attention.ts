import { expect } from 'vitest'
import type { ShipmentId } from '../../registry/values/vocabulary.ts'
import type { TestApi } from './api.ts'
import type { Browser } from './dashboard.ts'
import { eventsOf, select } from './database-contents.ts'

/** Reads the problems that the dashboard's start page, “Today”, shows. */

/** Returns the rows of problems that link to the given page, newest first. */
export async function attentionRows(member: Browser, path: string): Promise<string[]> {
  const { status, text } = await member.get('/dashboard')
  expect(status).toBe(200)
  const [, problems = ''] = /<div id="problems">([\s\S]*)<\/main>/.exec(text) ?? []
  return problems.split('<tr>').filter((row) => row.includes(`/dashboard${path}"`))
}

/** Returns the codes of the open exceptions that a dashboard page shows for a shipment. */
export async function shownCodes(member: Browser, id: ShipmentId): Promise<string[]> {
  const rows = await attentionRows(member, `/shipments/${id}`)
  const badges = rows.flatMap((row) => [...row.matchAll(/class="badge bad">([^<]*)</g)])
  return badges.map(([, shown = '']) => shown.replaceAll(' ', '_')).toSorted()
}

/**
 * Returns two lists of exception codes of a shipment: the codes that an event reported, and the codes for which a
 * notification was stored.
 */
export async function reportedCodes(api: TestApi, merchantId: string, id: ShipmentId) {
  const events = await eventsOf(api, merchantId, 'shipment.exception_raised')
  const notified = await select(
    api,
    `select data ->> 'code' as code from notifications
     where kind = 'shipment.exception' and data ->> 'shipmentId' = $1`,
    [id],
  )
  const sent = events.filter(({ data }) => data.shipmentId === id).map(({ data }) => String(data.code))
  return { sent: sent.toSorted(), notified: notified.map(({ code }) => String(code)).toSorted() }
}
