import { createHash } from 'node:crypto'
import type {
  AddressId,
  AttemptId,
  BulkReplayId,
  CommentId,
  CustomerId,
  DeliveryId,
  DiscountId,
  EndpointId,
  EventId,
  ImageId,
  ImportId,
  InvitationId,
  MemberId,
  MerchantId,
  MovementId,
  OfferId,
  OrderId,
  OrderItemId,
  PaymentId,
  PaymentLinkId,
  ProductId,
  QuoteId,
  RedemptionId,
  RefundId,
  RemittanceId,
  ReturnId,
  ScheduleId,
  SessionId,
  ShipmentId,
  SurgeSnapshotId,
  TokenId,
  TriggerId,
  UserId,
  VariantId,
} from '../../registry/values/vocabulary.ts'
import { base32, newId } from './ids.ts'

/**
 * Id generators for each kind of record. Only this file casts a string to a branded id without parsing it: newId()
 * always returns the prefix and a well-formed id.
 */
export const newMerchantId = (nowMs: number) => newId('mer', nowMs) as MerchantId
export const newTokenId = (nowMs: number) => newId('tok', nowMs) as TokenId
export const newUserId = (nowMs: number) => newId('usr', nowMs) as UserId
export const newMemberId = (nowMs: number) => newId('mbr', nowMs) as MemberId
export const newInvitationId = (nowMs: number) => newId('inv', nowMs) as InvitationId
export const newSessionId = (nowMs: number) => newId('ses', nowMs) as SessionId
export const newProductId = (nowMs: number) => newId('prd', nowMs) as ProductId
export const newVariantId = (nowMs: number) => newId('var', nowMs) as VariantId
export const newCustomerId = (nowMs: number) => newId('cus', nowMs) as CustomerId
export const newOrderId = (nowMs: number) => newId('ord', nowMs) as OrderId
export const newCommentId = (nowMs: number) => newId('cmt', nowMs) as CommentId
export const newTriggerId = (nowMs: number) => newId('trg', nowMs) as TriggerId
export const newOrderItemId = (nowMs: number) => newId('itm', nowMs) as OrderItemId
export const newPaymentId = (nowMs: number) => newId('pay', nowMs) as PaymentId
export const newPaymentLinkId = (nowMs: number) => newId('pln', nowMs) as PaymentLinkId
export const newRefundId = (nowMs: number) => newId('rfd', nowMs) as RefundId
export const newReturnId = (nowMs: number) => newId('ret', nowMs) as ReturnId
export const newRemittanceId = (nowMs: number) => newId('rmt', nowMs) as RemittanceId
export const newEventId = (nowMs: number) => newId('evt', nowMs) as EventId
/** Returns the id of a test event. Its last forty bits spell `testtest`; the other bits make the ids distinct. */
export const newSampleEventId = (nowMs: number) => `${newId('evt', nowMs).slice(0, -8)}testtest` as EventId
export const newEndpointId = (nowMs: number) => newId('whe', nowMs) as EndpointId
export const newMovementId = (nowMs: number) => newId('mov', nowMs) as MovementId
export const newImageId = (nowMs: number) => newId('img', nowMs) as ImageId
export const newAddressId = (nowMs: number) => newId('adr', nowMs) as AddressId
export const newDiscountId = (nowMs: number) => newId('dsc', nowMs) as DiscountId
export const newRedemptionId = (nowMs: number) => newId('rdm', nowMs) as RedemptionId
export const newDeliveryId = (nowMs: number) => newId('dlv', nowMs) as DeliveryId
export const newQuoteId = (nowMs: number) => newId('qte', nowMs) as QuoteId
export const newScheduleId = (nowMs: number) => newId('sch', nowMs) as ScheduleId
export const newOfferId = (nowMs: number) => newId('off', nowMs) as OfferId
export const newShipmentId = (nowMs: number) => newId('shp', nowMs) as ShipmentId
/**
 * Returns the id of a dispatch attempt. The id is computed and not stored. It is the id of the shipment, but its last
 * forty bits are a hash of the shipment id and the attempt number.
 */
export const attemptIdOf = (shipmentId: ShipmentId, number: number) => {
  const digest = createHash('sha256').update(`${shipmentId}-${number}`).digest()
  const suffix = [...digest.subarray(0, 8)].map((byte) => base32.charAt(byte & 31)).join('')
  return `att_${shipmentId.slice('shp_'.length, -8)}${suffix}` as AttemptId
}
export const newBulkReplayId = (nowMs: number) => newId('rpl', nowMs) as BulkReplayId
export const newImportId = (nowMs: number) => newId('imp', nowMs) as ImportId
export const newSurgeSnapshotId = (nowMs: number) => newId('sgs', nowMs) as SurgeSnapshotId
