import { RefundId } from '../../../registry/values/vocabulary.ts'

/** Pattern of our refund id anywhere in the note of a refund, because the provider may have added text. */
const refundIdInNote = /rfd_[0-9a-z]{26}/

/** Undefined for a refund that this service did not create. */
export function refundIdIn(note: string | null | undefined): RefundId | undefined {
  return RefundId.safeParse(refundIdInNote.exec(note ?? '')?.[0]).data
}
