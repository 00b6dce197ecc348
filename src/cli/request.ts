import { z } from 'zod'
import type { Database } from '../store/core/database.ts'
import { findRequestOfAny, listRequests, type RequestFilter, type RequestRow } from '../store/requests/request-list.ts'
import { followRequests } from './follow-requests.ts'
import { command } from './kit/command.ts'
import { connected } from './kit/connect.ts'
import { UsageError } from './kit/failure.ts'
import {
  flag,
  idOption,
  limitOption,
  merchantOptions,
  option,
  rowsShown,
  sinceOf,
  sinceOption,
  textOption,
} from './kit/option.ts'
import { table } from './kit/output.ts'
import { tenantOf } from './kit/tenant.ts'

const statusOption = option(
  z.union([
    z.enum(['2xx', '3xx', '4xx', '5xx']),
    z
      .string()
      .regex(/^[2-5]\d\d$/)
      .transform(Number),
  ]),
  {
    value: 'STATUS',
    meaning: 'Lists only requests with this status, such as 404, or class of statuses, such as 5xx.',
    must: 'must be a status such as 404, or 2xx, 3xx, 4xx or 5xx',
  },
)

const past = ['id', 'since', 'until', 'limit'] as const

export const requestList = command({
  name: 'request list',
  summary: 'List the API requests of a merchant in the last 7 days, newest first, or find one request by its id.',
  options: z.strictObject({
    merchant: idOption('The merchant. Not needed with --id.').optional(),
    mode: merchantOptions.mode,
    id: idOption('Shows only the request with this id, as in the header Request-Id.').optional(),
    operation: textOption('Lists only requests of this operation, such as createRefund.').optional(),
    status: statusOption.optional(),
    token: idOption('Lists only requests with the API token of this id.').optional(),
    since: sinceOption('Lists only requests since this time'),
    until: sinceOption('Lists only requests before this time'),
    limit: limitOption,
    follow: flag('Print new requests as they arrive, until Ctrl-C. With --json, one JSON object per line.'),
  }),
  run: (values, { wantsJson }) => {
    const given = past.filter((name) => values[name] !== undefined)
    if (values.follow === true && given.length > 0)
      throw new UsageError(`--follow prints new requests only, so it cannot be combined with --${given.join(', --')}.`)
    const { merchant } = values
    if (merchant === undefined) {
      const { id: wanted, ...others } = values
      const [other] = Object.keys(others).filter((name) => Reflect.get(others, name) !== undefined)
      if (wanted === undefined || other !== undefined)
        throw new UsageError(
          'Missing required options: --merchant. Only --id alone finds a request without --merchant.',
        )
      return connected(async ({ database }) => {
        const found = await findRequestOfAny(database, wanted)
        return replyOf(found === undefined ? [] : [found], withMerchant)
      })
    }
    return connected(async ({ database, clock }) => {
      const timeOf = (text: string | undefined) => (text === undefined ? null : sinceOf(text, clock.nowMs()))
      const { merchantId } = await tenantOf(database, { merchant, mode: values.mode })
      const { id, operation, status, token: tokenId } = values
      const filter = {
        merchantId,
        id,
        operation,
        status,
        tokenId,
        since: timeOf(values.since),
        until: timeOf(values.until),
      }
      if (values.follow === true) return followRequests(database, filter, { wantsJson })
      const rows = await readRequests(database, filter, values.limit ?? rowsShown)
      return replyOf(rows, shownColumns)
    })
  },
})

function replyOf(rows: readonly RequestRow[], columns: readonly string[]) {
  return {
    json: rows,
    text: table(
      rows.map((row) => ({ ...row })),
      columns,
    ),
  }
}

const shownColumns = ['occurredAt', 'id', 'operation', 'status', 'errorCode', 'durationMs', 'tokenId', 'sourceIp']
const withMerchant = ['merchantId', ...shownColumns]

/**
 * Reads pages of the request log until `limit` requests are found or the log ends. A page can be empty before the end
 * of the log, if few requests match the filter.
 */
async function readRequests(database: Database, filter: RequestFilter, limit: number): Promise<RequestRow[]> {
  const rows: RequestRow[] = []
  for (let beforeId: string | null | undefined; beforeId !== null && rows.length < limit; ) {
    const page = await listRequests(database, filter, { limit: limit - rows.length, beforeId })
    rows.push(...page.rows)
    beforeId = page.continueBeforeId
  }
  return rows
}
