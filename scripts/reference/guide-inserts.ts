import { metricsTable } from '../metrics-table.ts'
import { settingsTable } from '../settings-table.ts'
import { clientMethodTable } from './client-method-table.ts'
import { triggerErrors } from './error-case-table.ts'
import { exceptionTable, exceptionWords } from './exception-table.ts'
import { rateLimitTable } from './rate-limit-table.ts'
import { rolePermissionTable, roleTable, roleWords } from './role-tables.ts'
import {
  callbackPhones,
  cashPhones,
  dispatchPhones,
  paymentReferences,
  quotePhones,
  simulatedCarriers,
  simulatedDelivery,
  testModeWords,
} from './test-mode-tables.ts'
import { triggerEvents, triggerExceptions, triggerRequests, triggerWords } from './trigger-tables.ts'
import {
  missedEvents,
  webhookEnvelopeTable,
  webhookEventTable,
  webhookHeaderTable,
  webhookRequirements,
  webhookRetries,
  webhookWords,
} from './webhook-tables.ts'

/** The generated parts of guides. A guide includes a part with a line `<!-- insert: name -->`. */
const inserts: Readonly<Record<string, () => string>> = {
  'client-methods': clientMethodTable,
  exceptions: exceptionTable,
  settings: settingsTable,
  metrics: metricsTable,
  'rate-limits': rateLimitTable,
  'simulated-carriers': simulatedCarriers,
  'simulated-delivery': simulatedDelivery,
  'dispatch-phones': dispatchPhones,
  'quote-phones': quotePhones,
  'callback-phones': callbackPhones,
  'cash-phones': cashPhones,
  'payment-references': paymentReferences,
  'trigger-requests': triggerRequests,
  'trigger-events': triggerEvents,
  'trigger-exceptions': triggerExceptions,
  'trigger-errors': triggerErrors,
  'webhook-events': webhookEventTable,
  'webhook-requirements': webhookRequirements,
  'webhook-headers': webhookHeaderTable,
  'webhook-envelope': webhookEnvelopeTable,
  'webhook-retries': webhookRetries,
  'missed-events': missedEvents,
  roles: roleTable,
  'role-permissions': rolePermissionTable,
}

/** Search words for the generated parts of guides, by the name of the guide. */
export const insertedWords: Readonly<Record<string, readonly string[]>> = {
  exceptions: exceptionWords,
  'test-mode': testModeWords,
  triggers: triggerWords,
  webhooks: webhookWords,
  dashboard: roleWords,
}

/** Returns the text of a guide with its generated parts. Throws when the guide includes a part that does not exist. */
export function withInserts(text: string): string {
  return text.replaceAll(/^<!-- insert: (\S+) -->$/gm, (_, name: string) => {
    if (!Object.hasOwn(inserts, name)) throw new Error(`scripts/reference/guide-inserts.ts has no insert ${name}.`)
    return inserts[name]?.() ?? ''
  })
}
