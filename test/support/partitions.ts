import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { rotatePartitions } from '../../src/store/partitions/partitions.ts'
import { useDatabase } from './database.ts'
import { operator } from './shop.ts'

/** The partitioned tables of webhook data. */
export const tables = ['webhook_attempts', 'webhook_deliveries', 'webhook_events']

/** States in which a webhook delivery is not completed, as lists of SQL values. */
export const openStates = {
  due: `'pending', now(), null, null, null`,
  leased: `'pending', null, now(), 'wrk_1', null`,
  held: `'held', null, null, null, null`,
}
export const completedState = `'skipped', null, null, null, now()`

/** Returns the names of monthly partitions. All of them belong to webhook tables. */
export function monthly(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('webhook_'))
}

/**
 * Opens a database. Returns functions that insert rows with times in a given month and that rotate the partitions. A
 * time is ISO 8601 text.
 */
export function usePartitions() {
  const opened = useDatabase()

  const merchantId = async (): Promise<string> => {
    const context = { database: opened().database, clock: systemClock, nudge: () => undefined }
    return (await createMerchant(context, operator, 'Adire Lagos')).id
  }

  const addEvent = async (merchant: string, time: string): Promise<string> => {
    const id = newId('evt', Date.parse(time))
    await opened().database.pool.query(
      `insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
       values ($1, $2, 'order.created', 'ord_1', '{}', $3)`,
      [merchant, id, time],
    )
    return id
  }

  return {
    opened,
    merchantId,
    addEvent,

    rotate: (time: string) => rotatePartitions(opened().database.pool, Date.parse(time)),

    /** Inserts an attempt of a new webhook delivery. Returns the id of the delivery. */
    addAttempt: async (time: string): Promise<string> => {
      const delivery = newId('dlv', Date.parse(time))
      await opened().database.pool.query(
        `insert into webhook_attempts (
           merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, response_body, duration_ms, url,
           endpoint_epoch
         )
         values ('mer_1', $1, 1, now(), now(), 'failed', 500, 'sorry', 1, 'https://example.com/', 1)`,
        [delivery],
      )
      return delivery
    },

    /** Inserts a webhook delivery in the given state. Also inserts its event, unless one is given. */
    addDelivery: async (time: string, state: string, event?: string): Promise<string> => {
      const id = newId('dlv', Date.parse(time))
      const merchant = await merchantId()
      await opened().database.pool.query(
        `insert into webhook_deliveries (
           merchant_id, id, event_id, endpoint_id, created_at, status, next_attempt_at, lease_until, leased_by, completed_at
         )
         values ($1, $2, $3, $4, $5, ${state})`,
        [merchant, id, event ?? (await addEvent(merchant, time)), newId('whe', Date.parse(time)), time],
      )
      return id
    },

    completeDelivery: async (id: string): Promise<void> => {
      await opened().database.pool.query(
        `update webhook_deliveries
         set status = 'skipped', next_attempt_at = null, lease_until = null, leased_by = null, completed_at = now()
         where id = $1`,
        [id],
      )
    },

    /** Returns the name of the partition that contains the row in which a column has this value. */
    partitionOf: async (table: string, column: string, value: string): Promise<string> => {
      const { rows } = await opened().database.pool.query(
        `select tableoid::regclass::text as name from ${table} where ${column} = $1`,
        [value],
      )
      return rows[0].name
    },
  }
}
