import { z } from 'zod'
import { toTimestamp } from '../../base/clock.ts'
import { isTestTenant } from '../../store/core/mutation.ts'
import { readAdvancedMs } from '../../store/test-clock/test-clocks.ts'
import type { OperationContext, Reply, ValidCall } from './call.ts'
import type { Operation } from './operation.ts'
import { pageOf, startOf } from './page.ts'
import { refuse } from './refusal.ts'
import { validate } from './validate.ts'

export async function list(
  { context: { clock }, cursorKeys, readDb, logistics }: OperationContext,
  operation: Operation,
  call: ValidCall,
): Promise<Reply> {
  const { endpoint } = operation
  const { params, caller, queryValues } = call
  const { limit } = LimitOnly.parse(call.query)
  const nowMs = clock.nowMs()
  const db = await readDb(caller.merchantId)
  // Cursors contain the name of the list. This name includes the path parameters, such as the id of the parent record,
  // so a cursor is valid only for the list of one parent.
  const paging = {
    keys: cursorKeys,
    list: params === undefined ? endpoint.id : `${endpoint.id} ${JSON.stringify(params)}`,
    caller,
    nowMs,
    hasFixedTimes: endpoint.hasFixedTimes ?? false,
    advancedMs: async () => (isTestTenant(caller) ? readAdvancedMs(db, caller.merchantId) : 0),
  }
  const start = await startOf(paging, queryValues)
  // The filters that a cursor contains are validated too. An earlier release with other rules for the filters may have
  // issued the cursor.
  const [filters] = validate([{ root: 'query', schema: endpoint.filters, input: start.filters }])
  const rows = await operation.handle({
    params,
    caller,
    now: toTimestamp(nowMs),
    db,
    filters,
    page: { limit: limit + 1, after: start.after },
    carriers: logistics?.carriers,
    refuse,
  })
  if (!Array.isArray(rows)) throw new Error(`${endpoint.id} must return an array of records.`)
  const record = await pageOf(paging, start, rows, limit)
  return { is: 'record', status: 200, record, location: null, idempotencyKey: undefined }
}

const LimitOnly = z.object({ limit: z.number() })
