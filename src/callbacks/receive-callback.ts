import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Inbox } from '../store/callbacks/inbox.ts'
import { addMerchantJobs } from '../store/core/jobs.ts'
import type { Context } from '../store/core/mutation.ts'

/** A callback of a carrier or payment provider as received, before its signature is verified. */
export interface ReceivedCallback {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly sourceIp: string
  readonly requestId: string
  readonly userAgent: string | null
}

export type ReceiveOutcome =
  | { readonly is: 'stored' }
  | { readonly is: 'already_stored' }
  /**
   * The signature is wrong, or the merchant or its account with the sender is unknown. Both cases get the same
   * response, so that merchants and accounts cannot be enumerated.
   */
  | { readonly is: 'not_signed' }

interface VerifiedCallback<Content> {
  readonly merchantId: MerchantId
  /** The name of the carrier or payment provider. */
  readonly sender: string
  /** SHA-256 by which a repeated callback is recognised. */
  readonly hash: Buffer
  readonly content: Content
}

/** Stores a verified callback with the status `received`. A job applies the callback later. */
export async function storeVerified<Content extends object>(
  { database, clock, log }: Context & { readonly log: Log },
  inbox: Inbox<Content, object>,
  { merchantId, content, ...verified }: VerifiedCallback<Content>,
  { headers: _, ...received }: ReceivedCallback,
): Promise<ReceiveOutcome> {
  const nowMs = clock.nowMs()
  const names = { merchantId, id: newId(inbox.idPrefix, nowMs), now: toTimestamp(nowMs) }
  if (!(await inbox.store(database, { ...content, ...verified, ...received, ...names })))
    return { is: 'already_stored' }
  // The job that applies the callback starts at once. If the job is lost, the periodic sweep finds the stored callback
  // within seconds.
  await addMerchantJobs(database, inbox.job, [merchantId]).catch((error) => {
    log.warn(
      { err: error, merchantId },
      `A ${inbox.senderKind} callback could not be queued and waits for the next sweep.`,
    )
  })
  return { is: 'stored' }
}
