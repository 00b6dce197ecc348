import type { EndpointId } from '../../registry/index.ts'
import type { Fixture } from './fixture.ts'
import { customerFixtures } from './fixtures/customers.ts'
import { descriptionFixtures } from './fixtures/description.ts'
import { discountFixtures } from './fixtures/discounts.ts'
import { eventFixtures } from './fixtures/events.ts'
import { exportFixtures } from './fixtures/exports.ts'
import { orderFixtures } from './fixtures/orders.ts'
import { paymentLinkFixtures } from './fixtures/payment-links.ts'
import { productFixtures } from './fixtures/products.ts'
import { refundFixtures } from './fixtures/refunds.ts'
import { reportFixtures } from './fixtures/reports.ts'
import { returnFixtures } from './fixtures/returns.ts'
import { scheduleFixtures } from './fixtures/schedule.ts'
import { shipmentFixtures } from './fixtures/shipments.ts'
import { surgeFixtures } from './fixtures/surge.ts'
import { testClockFixtures } from './fixtures/test-clock.ts'
import { triggerFixtures } from './fixtures/triggers.ts'
import { zoneFixtures } from './fixtures/zones.ts'

/**
 * One fixture for each operation of the registry: it creates the records for a valid request. An operation without a
 * fixture is a compile error and a test failure.
 */
export const fixtures: { readonly [Id in EndpointId]: Fixture } = {
  ...orderFixtures,
  ...paymentLinkFixtures,
  ...productFixtures,
  ...customerFixtures,
  ...refundFixtures,
  ...returnFixtures,
  ...reportFixtures,
  ...discountFixtures,
  ...exportFixtures,
  ...shipmentFixtures,
  ...eventFixtures,
  ...scheduleFixtures,
  ...zoneFixtures,
  ...surgeFixtures,
  ...testClockFixtures,
  ...triggerFixtures,
  ...descriptionFixtures,
}
