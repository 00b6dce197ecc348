import { type Clock, toTimestamp } from '../base/clock.ts'
import { lowestIdAt } from '../base/ids.ts'
import type { Signer } from '../base/signer.ts'
import { type ChainId, findHead } from '../store/audit/chain.ts'
import { insertHeadReport, listRecipients, listReported, type ReportedMerchant } from '../store/audit/head-reports.ts'
import { bookkeep } from '../store/core/bookkeeping.ts'
import type { Database } from '../store/core/database.ts'
import { headVerdict } from './head-verdict.ts'
import { headTextOf } from './known-head.ts'

export interface ReportContext {
  readonly database: Database
  readonly clock: Clock
  readonly signer: Signer
  /** Signal that makes reportHeads() end after it has stored the report for the current merchant. */
  readonly stopping?: AbortSignal | undefined
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Number of merchants that one statement reads. The rows of so many merchants have a total size of a few tens of
 * kilobytes.
 */
const pageSize = 500

/**
 * Reports the heads of the audit log's hash chains to each merchant once a day (UTC). The report is a notification that
 * is sent as an e-mail to the owners of the merchant. A superuser of the database could rewrite the log, but cannot
 * reach the mailboxes of the owners. The shared chain has no owner, so every merchant gets its head. The id of a
 * notification is derived from its day, so several processes or repeated calls create the notification only once. A
 * report verifies the signatures of the heads but no rows, so the cost of a report does not grow with the log.
 */
export async function reportHeads(context: ReportContext): Promise<void> {
  const { database, clock, stopping } = context
  const nowMs = clock.nowMs()
  const id = lowestIdAt('ntf', nowMs - (nowMs % dayMs))
  const shared = await headOf(context, 'shared')
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly ReportedMerchant[] = await listRecipients(database, { after, limit: pageSize })
    const reported = await listReported(database, { merchantIds: page.map(({ merchantId }) => merchantId), id })
    for (const { merchantId, testMerchantId } of page) {
      if (stopping?.aborted === true) return
      // A merchant whose database node does not respond is skipped. A later call on the same day creates the report for
      // this merchant.
      if (![merchantId, testMerchantId].every(database.reachability.isReachable)) continue
      if (reported.has(merchantId)) continue
      const [live, test] = await Promise.all([headOf(context, merchantId), headOf(context, testMerchantId)])
      const data = JSON.stringify({
        testMerchantId,
        liveHead: live.text,
        liveSignature: live.signature,
        testHead: test.text,
        testSignature: test.signature,
        sharedHead: shared.text,
        sharedSignature: shared.signature,
      })
      const report = { merchantId, id, data, now: toTimestamp(clock.nowMs()) }
      await bookkeep(database, async (trx) => insertHeadReport(trx, report))
    }
    after = page.length < pageSize ? undefined : page.at(-1)?.merchantId
  }
}

/** Returns the newest head of a chain as text, and whether its signature is valid. Both are null for an empty chain. */
async function headOf({ database, signer }: ReportContext, chain: ChainId) {
  const head = await findHead(database, chain)
  if (head === undefined) return { text: null, signature: null }
  return { text: headTextOf(head), signature: headVerdict(signer, chain, head) }
}
