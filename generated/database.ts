// DO NOT EDIT. Written by `npm run generate` from the migrated schema.

import type { ColumnType } from 'kysely'
import type { AddressId, BulkReplayId, CommentId, CustomerId, DeliveryId, DiscountId, EndpointId, EventId, ImageId, ImportId, InvitationId, Kobo, MemberId, MerchantId, MovementId, OfferId, OrderId, OrderItemId, PaymentId, PaymentLinkId, ProductId, QuoteId, RedemptionId, RefundId, RemittanceId, ReturnId, ScheduleId, SessionId, ShipmentId, SurgeSnapshotId, Timestamp, TokenId, UserId, VariantId } from '../registry/values/vocabulary.ts'

/** A column the database fills in when an insert leaves it out. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

export interface ApiTokens {
  merchantId: MerchantId
  id: TokenId
  name: string
  prefix: string
  lastFour: string
  tokenHash: Buffer
  scopes: string[]
  ipAllowlist: Generated<string[]>
  createdBy: string
  createdAt: Timestamp
  expiresAt: Timestamp | null
  revokedAt: Timestamp | null
  lastUsedAt: Timestamp | null
  lastUsedIp: string | null
  rotatedAt: Timestamp | null
  expiresAtBeforeRotation: Timestamp | null
}

export interface AuditChain {
  merchantId: MerchantId
  number: number
  auditId: string
  hash: Buffer
}

export interface AuditHeads {
  merchantId: MerchantId
  number: number
  hash: Buffer
  sealedAt: Timestamp
  keyId: string | null
  signature: Buffer | null
}

export interface AuditLog {
  merchantId: MerchantId
  id: string
  occurredAt: Timestamp
  transactionId: Generated<string>
  actorType: string
  actorId: string | null
  actorLabel: string
  action: string
  resourceType: string
  resourceId: string
  requestId: string | null
  sourceIp: string | null
  userAgent: string | null
  changes: Generated<JsonColumn>
  recordedXid: Generated<number | null>
  recordedAt: Generated<Timestamp | null>
  sessionId: SessionId | null
  resources: string[] | null
}

export interface AuditProgress {
  isOnly: Generated<boolean>
  cluster: string
  fromXid: number
  walkPass: string | null
  walkMerchantId: string | null
  walkId: string | null
}

export interface AuditQueue {
  merchantId: MerchantId
  auditId: string
  recordedAt: Timestamp
}

export interface AuditResources {
  merchantId: MerchantId
  resourceId: string
  auditId: string
}

export interface CarrierAccounts {
  merchantId: MerchantId
  carrier: string
  sealedCredentials: Buffer
  hint: string
  callbackKey: string
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface CarrierAddressCodes {
  merchantId: MerchantId
  carrier: string
  accountDigest: string
  addressDigest: string
  code: number
  createdAt: Timestamp
}

export interface CarrierAssignmentTimes {
  carrier: string
  zoneId: string
  isOnDemand: boolean
  sampleSize: number
  p95Seconds: number | null
  rolledUpAt: Timestamp
}

export interface CarrierCallWindows {
  merchantId: MerchantId
  carrier: string
  accountDigest: string
  minuteAt: Timestamp
  minuteCalls: number
  secondAt: Timestamp
  secondCalls: number
}

export interface CarrierCallbacks {
  merchantId: MerchantId
  id: string
  carrier: string
  dedupeHash: Buffer
  body: Buffer
  parsedBody: JsonColumn | null
  isTrusted: boolean
  sourceIp: string
  requestId: string
  userAgent: string | null
  receivedAt: Timestamp
  nextAttemptAt: Timestamp | null
  processedAt: Timestamp | null
  outcome: string | null
  reason: string | null
  failures: Generated<number>
  error: string | null
}

export interface CarrierCash {
  merchantId: MerchantId
  carrier: string
  collectedKobo: Kobo
  remittedKobo: Kobo
}

export interface CarrierRecords {
  zoneId: string
  carrier: string
  succeeded: number
  failed: number
  rolledUpAt: Timestamp
}

export interface CustomerAddresses {
  merchantId: MerchantId
  customerId: CustomerId
  id: AddressId
  recipientName: string | null
  phone: string | null
  line1: string
  line2: string | null
  landmark: string | null
  area: string | null
  city: string
  state: string
  country: Generated<string>
  postalCode: string | null
  instructions: string | null
  latitude: number | null
  longitude: number | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Customers {
  merchantId: MerchantId
  id: CustomerId
  name: string
  email: string
  phone: string | null
  defaultAddressId: string | null
  tags: Generated<string[]>
  note: string | null
  marketing: Generated<JsonColumn>
  externalReference: string | null
  status: Generated<string>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  deletedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface DeliveryZones {
  id: string
  name: string
  state: string
  city: string
  lgas: string[]
  areas: string[]
  centroidLat: number
  centroidLng: number
  bbox: number[]
  geometry: JsonColumn
  boundaryStatus: Generated<string>
  serviceLevels: string[]
  operatingHours: JsonColumn
  neighbours: string[]
  baseFareKobo: Kobo
  perKmKobo: Kobo
  includedMeters: number
  perKgKobo: Kobo
  includedGrams: number
  averageSpeedKmh: number
  active: Generated<boolean>
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface DiscountRedemptions {
  merchantId: MerchantId
  id: RedemptionId
  discountId: DiscountId
  orderId: OrderId
  amountKobo: Kobo
  customerId: CustomerId | null
  customerEmail: string
  customerPhone: string | null
  createdAt: Timestamp
  releasedAt: Timestamp | null
}

export interface Discounts {
  merchantId: MerchantId
  id: DiscountId
  title: string
  code: string | null
  type: string
  percentageBps: number | null
  amountKobo: Kobo | null
  maxDiscountKobo: Kobo | null
  appliesToScope: Generated<string>
  appliesToIds: Generated<string[]>
  minimumSubtotalKobo: Kobo | null
  minimumQuantity: number | null
  startsAt: Timestamp
  endsAt: Timestamp | null
  usageLimit: number | null
  usageLimitPerCustomer: number | null
  firstOrderOnly: Generated<boolean>
  customerIds: string[] | null
  combinesWith: Generated<string[]>
  status: Generated<string>
  redemptionCount: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface DispatchAttempts {
  merchantId: MerchantId
  shipmentId: ShipmentId
  number: number
  carrier: string
  reference: string
  state: string
  offer: JsonColumn
  priceKobo: Kobo
  carrierReference: string | null
  outcomeCode: string | null
  outcomeMessage: string | null
  cancelFeeKobo: Kobo | null
  duplicateCostKobo: Kobo | null
  startedAt: Timestamp
  answeredAt: Timestamp | null
  resolvedAt: Timestamp | null
  notFoundCount: Generated<number>
  notFoundSince: Timestamp | null
  checks: Generated<number>
  nextCheckAt: Timestamp | null
  assignDeadline: Timestamp | null
  monitorUntil: Timestamp | null
}

export interface EncryptionKeyHolders {
  processId: string
  label: string
  keyIds: string[]
  seenAt: Timestamp
}

export interface EncryptionKeys {
  id: string
  usedSince: Timestamp
  retiredAt: Timestamp | null
}

export interface IdempotencyKeys {
  merchantId: MerchantId
  route: string
  key: string
  fingerprint: Buffer
  tokenId: string
  requestId: string
  responseStatus: number | null
  responseBody: string | null
  responseLocation: string | null
  refundId: RefundId | null
  createdAt: Timestamp
  expiresAt: Timestamp
}

export interface Inventory {
  merchantId: MerchantId
  variantId: VariantId
  onHand: Generated<number>
  reserved: Generated<number>
  available: ColumnType<number, never, never>
  tracked: Generated<boolean>
  allowBackorder: Generated<boolean>
  lowStockThreshold: number | null
  isLow: Generated<boolean>
  updatedAt: Timestamp
  productLowStockThreshold: number | null
}

export interface Invitations {
  merchantId: MerchantId
  id: InvitationId
  tokenHash: Buffer
  email: string
  name: string | null
  role: string
  createdBy: string
  createdAt: Timestamp
  expiresAt: Timestamp
  acceptedAt: Timestamp | null
  revokedAt: Timestamp | null
  creatorMemberId: string | null
}

export interface KnownDevices {
  tokenHash: Buffer
  userId: UserId
  createdAt: Timestamp
  lastUsedAt: Timestamp
}

export interface LogisticsObservations {
  merchantId: MerchantId
  shipmentId: ShipmentId
  kind: string
  carrier: string
  zoneFrom: string | null
  zoneTo: string | null
  hourBucket: number
  seconds: number | null
  isCensored: Generated<boolean>
  isInferred: Generated<boolean>
  observedAt: Timestamp
  recordedAt: Timestamp
}

export interface LogisticsQuantiles {
  merchantId: MerchantId
  kind: string
  hourBucket: number
  sampleSize: number
  seconds: number[]
  updatedAt: Timestamp
}

export interface Members {
  merchantId: MerchantId
  id: MemberId
  userId: UserId
  role: string
  createdAt: Timestamp
  removedAt: Timestamp | null
}

export interface Merchants {
  id: MerchantId
  name: string
  mode: string
  liveMerchantId: MerchantId | null
  defaultState: Generated<string>
  taxRegistered: Generated<boolean>
  taxRateBps: Generated<number>
  taxInclusive: Generated<boolean>
  lowStockThreshold: Generated<number | null>
  pendingOrderTtlMinutes: Generated<number | null>
  suspendedAt: Timestamp | null
  createdAt: Timestamp
  autoConfirmPayOnDelivery: Generated<boolean>
  defaultPickup: JsonColumn | null
  rateLimits: string | null
  recordBodiesUntil: Timestamp | null
}

export interface NotificationMails {
  createdAt: Timestamp
  nextAttemptAt: Timestamp | null
  completedAt: Timestamp | null
  attempts: Generated<number>
  merchantId: MerchantId
  notificationId: string
  memberId: MemberId
  status: Generated<string>
  lastError: string | null
}

export interface NotificationPositions {
  merchantId: MerchantId
  memberId: MemberId
  readBefore: Timestamp
}

export interface NotificationPreferences {
  merchantId: MerchantId
  memberId: MemberId
  kind: string
  byEmail: boolean
}

export interface NotificationReads {
  merchantId: MerchantId
  memberId: MemberId
  notificationId: string
}

export interface Notifications {
  merchantId: MerchantId
  id: string
  kind: string
  endpointId: EndpointId | null
  data: Generated<JsonColumn>
  createdAt: Timestamp
  readAt: Timestamp | null
  isMailPlanned: Generated<boolean>
  resolvedAt: Timestamp | null
}

export interface OrderComments {
  merchantId: MerchantId
  id: CommentId
  orderId: OrderId
  text: string
  authorType: string
  authorName: string
  createdAt: Timestamp
}

export interface OrderDiscounts {
  merchantId: MerchantId
  orderId: OrderId
  discountId: DiscountId
  position: number
  code: string
  type: string
  amountKobo: Kobo
  allocations: JsonColumn
}

export interface OrderItems {
  merchantId: MerchantId
  orderId: OrderId
  id: OrderItemId
  position: number
  productId: ProductId | null
  variantId: VariantId | null
  sku: string
  title: string
  variantTitle: string
  optionValues: Generated<JsonColumn>
  imageUrl: string | null
  quantity: number
  fulfilledQuantity: Generated<number>
  returnedQuantity: Generated<number>
  refundedQuantity: Generated<number>
  cancelledQuantity: Generated<number>
  unitPriceKobo: Kobo
  compareAtPriceKobo: Kobo | null
  subtotalKobo: Kobo
  discountKobo: Generated<Kobo>
  taxRateBps: Generated<number>
  taxKobo: Generated<Kobo>
  totalKobo: Kobo
  lostQuantity: Generated<number>
}

export interface OrderStatusChanges {
  merchantId: MerchantId
  orderId: OrderId
  version: number
  fromStatus: string
  toStatus: string
  reason: string | null
  actorType: string
  actorId: string | null
  occurredAt: Timestamp
}

export interface Orders {
  merchantId: MerchantId
  id: OrderId
  number: string
  status: string
  heldFrom: string | null
  version: Generated<number>
  customerId: CustomerId | null
  customerName: string
  customerEmail: string
  customerPhone: string | null
  paymentMethod: string
  subtotalKobo: Kobo
  discountKobo: Generated<Kobo>
  shippingKobo: Generated<Kobo>
  taxKobo: Generated<Kobo>
  totalKobo: Kobo
  taxInclusive: boolean
  taxRateBps: number
  paidKobo: Generated<Kobo>
  refundedKobo: Generated<Kobo>
  refundPendingKobo: Generated<Kobo>
  refundedTaxKobo: Generated<Kobo>
  itemQuantity: number
  fulfilledQuantity: Generated<number>
  returnedQuantity: Generated<number>
  paymentStatus: ColumnType<string, never, never>
  fulfillmentStatus: ColumnType<string, never, never>
  shippingAddress: JsonColumn | null
  billingAddress: JsonColumn | null
  note: string | null
  customerNote: string | null
  tags: Generated<string[]>
  externalReference: string | null
  source: Generated<string>
  cancelReason: string | null
  metadata: Generated<JsonColumn>
  expiresAt: Timestamp | null
  confirmedAt: Timestamp | null
  paidAt: Timestamp | null
  shippedAt: Timestamp | null
  deliveredAt: Timestamp | null
  cancelledAt: Timestamp | null
  returnedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  cancelNote: string | null
  providerPaidKobo: Generated<Kobo>
  exchangeOfReturnId: ReturnId | null
}

export interface PasskeyChallenges {
  tokenHash: Buffer
  challenge: string
  sessionId: SessionId | null
  network: string | null
  expiresAt: Timestamp
}

export interface Passkeys {
  credentialId: string
  userId: UserId
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  createdAt: Timestamp
  lastUsedAt: Timestamp | null
}

export interface PaymentDisputes {
  merchantId: MerchantId
  disputeId: string
  paymentId: PaymentId
  status: string
  resolution: string | null
  lostKobo: Generated<Kobo>
  openedAt: Timestamp
  resolvedAt: Timestamp | null
}

export interface PaymentLinks {
  merchantId: MerchantId
  id: PaymentLinkId
  orderId: OrderId
  provider: string
  reference: string
  amountKobo: Kobo
  url: string | null
  expiresAt: Timestamp
  createdAt: Timestamp
  withdrawnAt: Timestamp | null
  keyUpdatedAt: Timestamp | null
}

export interface PaymentProviderKeys {
  merchantId: MerchantId
  provider: string
  sealedSecret: Buffer
  lastFour: string
  createdAt: Timestamp
  updatedAt: Timestamp
  reconciledAt: Generated<Timestamp>
}

export interface Payments {
  merchantId: MerchantId
  id: PaymentId
  orderId: OrderId
  amountKobo: Kobo
  method: string
  reference: string
  provider: Generated<string>
  paidAt: Timestamp
  disputedAt: Timestamp | null
  createdAt: Timestamp
  disputeLostKobo: Generated<Kobo>
  voidedAt: Timestamp | null
  voidReason: string | null
  refundId: RefundId | null
  providerPaymentId: string | null
}

export interface ProductImports {
  merchantId: MerchantId
  id: ImportId
  fileName: string
  file: Buffer
  actor: JsonColumn
  status: Generated<string>
  report: JsonColumn | null
  attempt: Generated<number>
  progressAttempt: Generated<number>
  leasedUntil: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface ProductVariants {
  merchantId: MerchantId
  id: VariantId
  productId: ProductId
  sku: string
  title: string
  optionValues: Generated<JsonColumn>
  priceKobo: Kobo
  compareAtPriceKobo: Kobo | null
  costKobo: Kobo | null
  barcode: string | null
  weightGrams: number | null
  imageId: ImageId | null
  position: number
  archivedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  removedAt: Timestamp | null
}

export interface Products {
  merchantId: MerchantId
  id: ProductId
  title: string
  slug: string
  description: Generated<string>
  status: string
  options: Generated<JsonColumn>
  images: Generated<JsonColumn>
  category: string | null
  brand: string | null
  tags: Generated<string[]>
  lowStockThreshold: number | null
  taxExempt: Generated<boolean>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  publishedAt: Timestamp | null
  archivedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  skus: Generated<string>
}

export interface ProviderCallbacks {
  merchantId: MerchantId
  id: string
  provider: string
  body: Buffer
  bodyHash: Buffer
  kind: string | null
  subject: string | null
  paymentReference: string | null
  sourceIp: string
  requestId: string
  userAgent: string | null
  receivedAt: Timestamp
  nextAttemptAt: Timestamp | null
  outcome: string | null
  reason: string | null
  processedAt: Timestamp | null
  failures: Generated<number>
  error: string | null
}

export interface QuoteOffers {
  merchantId: MerchantId
  quoteId: QuoteId
  id: OfferId
  rank: number
  carrier: string
  service: string
  serviceLevel: string
  vehicle: string
  priceKobo: Kobo
  carrierPriceKobo: Kobo
  breakdown: JsonColumn
  pickupMinutes: JsonColumn | null
  dropoffMinutes: JsonColumn | null
  reliability: number
  priceLock: string
  token: string
  tags: Generated<string[]>
  expiresAt: Timestamp
  subCarrier: string | null
}

export interface Quotes {
  merchantId: MerchantId
  id: QuoteId
  orderId: OrderId | null
  status: string
  pickup: JsonColumn
  dropoff: JsonColumn
  parcels: JsonColumn
  vehicle: string
  serviceLevels: string[]
  pickupWindow: JsonColumn | null
  dropoffWindow: JsonColumn | null
  declaredValueKobo: Kobo | null
  pickupZoneId: string | null
  dropoffZoneId: string | null
  distanceMeters: number
  surge: JsonColumn | null
  carriers: JsonColumn
  warnings: Generated<string[]>
  createdAt: Timestamp
  expiresAt: Timestamp
  usedAt: Timestamp | null
  redactedAt: Timestamp | null
  items: JsonColumn | null
  codAmountKobo: Kobo | null
  returnId: ReturnId | null
}

export interface RateLimitProcesses {
  id: string
  countedAt: Timestamp
}

export interface RateLimits {
  key: string
  arrivalAt: Timestamp
  chargeMs: Generated<number>
}

export interface ReceiptCounters {
  merchantId: MerchantId
  lastNumber: number
}

export interface Receipts {
  merchantId: MerchantId
  number: number
  orderId: OrderId
  issuedAt: Timestamp
}

export interface RefundItems {
  merchantId: MerchantId
  refundId: RefundId
  orderId: OrderId
  itemId: OrderItemId
  quantity: number
  restock: Generated<boolean>
  amountKobo: Kobo
}

export interface Refunds {
  merchantId: MerchantId
  id: RefundId
  orderId: OrderId
  paymentId: PaymentId | null
  amountKobo: Kobo
  taxKobo: Generated<Kobo>
  reason: string
  note: string | null
  status: string
  destination: string
  accountNumber: string | null
  bankCode: string | null
  accountName: string | null
  provider: string
  providerReference: string | null
  submittedAt: Timestamp | null
  failureCode: string | null
  failureMessage: string | null
  orderRefundedKobo: Kobo
  orderRefundableKobo: Kobo
  orderPaymentStatus: string
  createdByType: string
  createdById: string | null
  metadata: Generated<JsonColumn>
  expectedAt: Timestamp | null
  succeededAt: Timestamp | null
  failedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  nextCheckAt: Timestamp | null
  checks: Generated<number>
  createdProcess: string | null
  notFoundSince: Timestamp | null
  createdServer: string | null
  returnId: ReturnId | null
}

export interface Remittances {
  merchantId: MerchantId
  id: RemittanceId
  carrier: string
  amountKobo: Kobo
  reference: string
  receivedAt: Timestamp
  createdAt: Timestamp
  voidedAt: Timestamp | null
  voidReason: string | null
}

export interface RequestCounts {
  merchantId: MerchantId
  hour: Timestamp
  statusClass: number
  requests: number
}

export interface RequestLog {
  occurredAt: Timestamp
  recordedXid: string
  durationMs: number
  status: number
  merchantId: MerchantId
  id: string
  tokenId: TokenId
  operation: string
  errorCode: string | null
  sourceIp: string
  problems: JsonColumn | null
  body: string | null
}

export interface ReturnItems {
  merchantId: MerchantId
  returnId: ReturnId
  orderId: OrderId
  itemId: OrderItemId
  quantity: number
  restockedQuantity: Generated<number>
  writtenOffQuantity: Generated<number>
}

export interface Returns {
  merchantId: MerchantId
  id: ReturnId
  orderId: OrderId
  status: string
  reason: string
  note: string | null
  version: Generated<number>
  createdAt: Timestamp
  updatedAt: Timestamp
  receivedAt: Timestamp | null
  endedAt: Timestamp | null
}

export interface SalesChanges {
  merchantId: MerchantId
  day: string
  id: Generated<string>
}

export interface SalesSummaries {
  merchantId: MerchantId
  dimension: string
  day: string
  key: string
  orderCount: number
  unitCount: number
  grossKobo: Kobo
  discountsKobo: Kobo
  shippingKobo: Kobo
  taxKobo: Kobo
  refundsKobo: Kobo
  netKobo: Kobo
}

export interface ScheduleCalibrations {
  merchantId: MerchantId
  kind: string
  widening: number
  coverage50: number
  coverage90: number
  sampleSize: number
  evaluatedAt: Timestamp | null
}

export interface SchedulePredictions {
  merchantId: MerchantId
  id: ScheduleId
  shipmentId: ShipmentId
  basis: string
  madeAt: Timestamp
  dispatchAt: Timestamp
  readyP50At: Timestamp
  readyP90At: Timestamp
  arrivalP50At: Timestamp
  arrivalP90At: Timestamp
  schedule: JsonColumn
  request: JsonColumn
  replannedAt: Timestamp | null
  dispatchedAt: Timestamp | null
  readyAt: Timestamp | null
  readyByAt: Timestamp | null
  arrivedAt: Timestamp | null
  completedAt: Timestamp | null
}

export interface ServiceKeys {
  purpose: string
  keyId: number
  secret: Buffer
  createdAt: Timestamp
}

export interface Sessions {
  id: SessionId
  tokenHash: Buffer
  userId: UserId
  selectedMerchantId: string | null
  stage: string
  createdAt: Timestamp
  lastSeenAt: Timestamp
  expiresAt: Timestamp
  authenticatedAt: Timestamp
  sourceIp: string | null
  userAgent: string | null
  revokedAt: Timestamp | null
}

export interface SharedAuditChain {
  number: number
  auditId: string
  hash: Buffer
}

export interface SharedAuditHeads {
  number: number
  hash: Buffer
  sealedAt: Timestamp
  keyId: string | null
  signature: Buffer | null
}

export interface SharedAuditLog {
  id: string
  occurredAt: Timestamp
  actorType: string
  actorLabel: string
  action: string
  resourceType: string
  resourceId: string
  changes: Generated<JsonColumn>
  recordedXid: Generated<number | null>
  recordedAt: Generated<Timestamp | null>
  sourceIp: string | null
}

export interface SharedQuantiles {
  isSimulated: boolean
  kind: string
  zoneFrom: string
  zoneTo: string
  hourBucket: number
  sampleSize: number
  seconds: number[]
  updatedAt: Timestamp
}

export interface ShipmentEvents {
  merchantId: MerchantId
  shipmentId: ShipmentId
  number: number
  attemptNumber: number | null
  status: string | null
  carrierStatus: string | null
  source: string
  description: string
  isApplied: boolean
  occurredAt: Timestamp
  receivedAt: Timestamp
}

export interface ShipmentPositions {
  merchantId: MerchantId
  shipmentId: ShipmentId
  number: number
  attemptNumber: number
  lat: number
  lng: number
  headingDegrees: number | null
  source: string
  recordedAt: Timestamp
  receivedAt: Timestamp
}

export interface Shipments {
  merchantId: MerchantId
  id: ShipmentId
  reference: string
  requestHash: string
  orderId: OrderId | null
  quoteId: QuoteId | null
  offerId: OfferId | null
  status: string
  statusCode: string | null
  statusMessage: string | null
  pickup: JsonColumn
  dropoff: JsonColumn
  parcels: JsonColumn
  pickupZoneId: string | null
  dropoffZoneId: string | null
  distanceMeters: number
  vehicle: string
  serviceLevel: string | null
  service: string | null
  proof: JsonColumn
  undeliverableAction: string
  failover: JsonColumn
  plan: JsonColumn
  priceCeilingKobo: Kobo
  carrier: string | null
  carrierReference: string | null
  trackingUrl: string | null
  labelUrl: string | null
  quotedPriceKobo: Kobo
  priceKobo: Kobo | null
  surgeKobo: Generated<Kobo>
  surgeSnapshotId: SurgeSnapshotId | null
  courier: JsonColumn | null
  deliveryEstimate: JsonColumn | null
  capturedProof: Generated<JsonColumn>
  exceptions: Generated<JsonColumn>
  cancelRequestedAt: Timestamp | null
  cancelReason: string | null
  cancelNote: string | null
  cancelMaxFeeKobo: Kobo | null
  cancelFeeKobo: Kobo | null
  cancelRefundKobo: Kobo | null
  dispatchAt: Timestamp | null
  scheduledPickupAt: Timestamp | null
  dispatchedAt: Timestamp | null
  acceptedAt: Timestamp | null
  assignedAt: Timestamp | null
  pickedUpAt: Timestamp | null
  deliveredAt: Timestamp | null
  endedAt: Timestamp | null
  eventCount: Generated<number>
  attemptCount: Generated<number>
  nextCheckAt: Timestamp | null
  checks: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  createdAt: Timestamp
  updatedAt: Timestamp
  pickupEstimate: JsonColumn | null
  items: JsonColumn
  itemsBooked: Generated<string>
  warnings: Generated<JsonColumn>
  removedItems: Generated<JsonColumn>
  codAmountKobo: Kobo | null
  codCollectedKobo: Kobo | null
  codCollectedAt: Timestamp | null
  returnId: ReturnId | null
}

export interface SignInFailures {
  keyHash: Buffer
  count: number
  lastFailedAt: Timestamp
}

export interface SignInLinks {
  tokenHash: Buffer
  userId: UserId
  purpose: string
  createdAt: Timestamp
  expiresAt: Timestamp
  usedAt: Timestamp | null
}

export interface SimulatedOrders {
  company: string
  number: string
  reference: string
  service: string
  vehicle: string
  priceKobo: number
  pickupLatitude: number
  pickupLongitude: number
  dropoffLatitude: number
  dropoffLongitude: number
  hasPin: boolean
  seed: string
  stepMs: number
  fault: string
  callbackUrl: string | null
  callbackSecret: string | null
  callbackDigits: string
  callbacksSent: Generated<number>
  callbackAttempts: Generated<number>
  nextCallbackAt: Timestamp | null
  createdAt: Timestamp
  acceptedAt: Timestamp
  cancelledAt: Timestamp | null
  cancellationFeeKobo: number | null
  cashCollectedKobo: number | null
}

export interface SimulatedPaymentCallbacks {
  id: ColumnType<number, never, never>
  url: string
  key: string
  body: string
  dueAt: Timestamp
  attempts: Generated<number>
}

export interface SimulatedPayments {
  account: string
  reference: string
  id: ColumnType<number, never, never>
  amountKobo: number
  behaviour: string
  paidAt: Timestamp
}

export interface SimulatedRefunds {
  id: ColumnType<number, never, never>
  account: string
  reference: string
  amountKobo: number
  note: string
  behaviour: string
  stepMs: number
  createdAt: Timestamp
  detailsAt: Timestamp | null
}

export interface StockMovements {
  merchantId: MerchantId
  id: MovementId
  variantId: VariantId
  reason: string
  orderId: OrderId | null
  refundId: RefundId | null
  onHandDelta: number
  reservedDelta: number
  onHand: number
  reserved: number
  note: string | null
  createdAt: Timestamp
}

export interface SubmittedForms {
  sessionId: SessionId
  formId: string
  submittedAt: Timestamp
}

export interface SurgeOverrides {
  id: string
  book: string
  zoneId: string | null
  city: string | null
  kind: string
  multiplier: number | null
  reason: string
  actorLabel: string
  createdAt: Timestamp
  expiresAt: Timestamp | null
}

export interface SurgeSnapshots {
  book: string
  zoneId: string
  id: SurgeSnapshotId
  slotAt: Timestamp
  computedAt: Timestamp
  publishedAt: Timestamp
  validUntil: Timestamp
  multiplier: number
  basis: string
  trend: string
  cap: number
  raw: number
  smoothed: number
  referenceFareKobo: Kobo
  surgeKobo: Kobo
  factors: JsonColumn
  inputs: JsonColumn
  sampleSize: number
}

export interface SurgeStates {
  book: string
  zoneId: string
  logMultiplier: number
  tickedAt: Timestamp
  baseline: JsonColumn
  baselineHour: Timestamp
}

export interface TestClocks {
  merchantId: MerchantId
  advancedMs: Generated<number>
  isAdvancing: Generated<boolean>
  remainingMs: Generated<number>
  steps: Generated<number>
  hasFailed: Generated<boolean>
}

export interface UnknownCarrierStatuses {
  carrier: string
  status: string
  times: number
  firstAt: Timestamp
  lastAt: Timestamp
}

export interface UnmatchedDisputes {
  merchantId: MerchantId
  disputeId: string
  paymentReference: string
  status: string
  resolution: string | null
  lostKobo: Kobo | null
  reportedAt: Timestamp
  provider: Generated<string>
}

export interface Users {
  id: UserId
  email: string
  displayEmail: string
  name: string
  passwordHash: string | null
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  totpLastStep: number | null
  createdAt: Timestamp
  updatedAt: Timestamp
  backupCodeHashes: Generated<Buffer[]>
}

export interface WebhookAttempts {
  merchantId: MerchantId
  deliveryId: DeliveryId
  number: number
  startedAt: Timestamp
  finishedAt: Timestamp
  outcome: string
  httpStatus: number | null
  errorCode: string | null
  responseBody: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  durationMs: number
  isReused: boolean | null
  url: string
  endpointEpoch: number
  failuresAtClaim: number | null
}

export interface WebhookBulkReplays {
  merchantId: MerchantId
  id: BulkReplayId
  endpointId: EndpointId
  since: Timestamp
  until: Timestamp
  statuses: string[]
  status: Generated<string>
  lastDeliveryId: string | null
  queued: Generated<number>
  createdAt: Timestamp
  completedAt: Timestamp | null
}

export interface WebhookDeliveries {
  merchantId: MerchantId
  id: DeliveryId
  eventId: EventId
  endpointId: EndpointId
  status: string
  trigger: Generated<string>
  replayOf: string | null
  attemptCount: Generated<number>
  nextAttemptAt: Timestamp | null
  isPaced: Generated<boolean>
  lostCount: Generated<number>
  leaseUntil: Timestamp | null
  leasedBy: string | null
  leaseNumber: Generated<number>
  createdAt: Timestamp
  completedAt: Timestamp | null
  bulkReplayId: BulkReplayId | null
}

export interface WebhookEndpoints {
  merchantId: MerchantId
  id: EndpointId
  url: string
  description: Generated<string>
  status: Generated<string>
  disabledReason: string | null
  disabledAt: Timestamp | null
  consecutiveFailures: Generated<number>
  epoch: Generated<number>
  pacedUntil: Timestamp | null
  deletedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  ramp: number | null
  sealedHeaders: Buffer | null
  headerNames: string[] | null
  headersChangedAt: Timestamp | null
}

export interface WebhookEvents {
  merchantId: MerchantId
  id: EventId
  kind: string
  resourceId: string
  body: string
  isTest: Generated<boolean>
  createdAt: Timestamp
}

export interface WebhookLeases {
  merchantId: MerchantId
  endpointId: EndpointId
  id: Generated<string>
  workerId: string
  expiresAt: Timestamp
  deliveryIds: string[]
}

export interface WebhookSecrets {
  merchantId: MerchantId
  endpointId: EndpointId
  id: string
  secret: string | null
  createdAt: Timestamp
  expiresAt: Timestamp | null
  sealed: Buffer | null
}

export interface WebhookSubscriptions {
  merchantId: MerchantId
  kind: string
  endpointId: EndpointId
}

export interface Tables {
  api_tokens: ApiTokens
  audit_chain: AuditChain
  audit_heads: AuditHeads
  audit_log: AuditLog
  audit_progress: AuditProgress
  audit_queue: AuditQueue
  audit_resources: AuditResources
  carrier_accounts: CarrierAccounts
  carrier_address_codes: CarrierAddressCodes
  carrier_assignment_times: CarrierAssignmentTimes
  carrier_call_windows: CarrierCallWindows
  carrier_callbacks: CarrierCallbacks
  carrier_cash: CarrierCash
  carrier_records: CarrierRecords
  customer_addresses: CustomerAddresses
  customers: Customers
  delivery_zones: DeliveryZones
  discount_redemptions: DiscountRedemptions
  discounts: Discounts
  dispatch_attempts: DispatchAttempts
  encryption_key_holders: EncryptionKeyHolders
  encryption_keys: EncryptionKeys
  idempotency_keys: IdempotencyKeys
  inventory: Inventory
  invitations: Invitations
  known_devices: KnownDevices
  logistics_observations: LogisticsObservations
  logistics_quantiles: LogisticsQuantiles
  members: Members
  merchants: Merchants
  notification_mails: NotificationMails
  notification_positions: NotificationPositions
  notification_preferences: NotificationPreferences
  notification_reads: NotificationReads
  notifications: Notifications
  order_comments: OrderComments
  order_discounts: OrderDiscounts
  order_items: OrderItems
  order_status_changes: OrderStatusChanges
  orders: Orders
  passkey_challenges: PasskeyChallenges
  passkeys: Passkeys
  payment_disputes: PaymentDisputes
  payment_links: PaymentLinks
  payment_provider_keys: PaymentProviderKeys
  payments: Payments
  product_imports: ProductImports
  product_variants: ProductVariants
  products: Products
  provider_callbacks: ProviderCallbacks
  quote_offers: QuoteOffers
  quotes: Quotes
  rate_limit_processes: RateLimitProcesses
  rate_limits: RateLimits
  receipt_counters: ReceiptCounters
  receipts: Receipts
  refund_items: RefundItems
  refunds: Refunds
  remittances: Remittances
  request_counts: RequestCounts
  request_log: RequestLog
  return_items: ReturnItems
  returns: Returns
  sales_changes: SalesChanges
  sales_summaries: SalesSummaries
  schedule_calibrations: ScheduleCalibrations
  schedule_predictions: SchedulePredictions
  service_keys: ServiceKeys
  sessions: Sessions
  shared_audit_chain: SharedAuditChain
  shared_audit_heads: SharedAuditHeads
  shared_audit_log: SharedAuditLog
  shared_quantiles: SharedQuantiles
  shipment_events: ShipmentEvents
  shipment_positions: ShipmentPositions
  shipments: Shipments
  sign_in_failures: SignInFailures
  sign_in_links: SignInLinks
  simulated_orders: SimulatedOrders
  simulated_payment_callbacks: SimulatedPaymentCallbacks
  simulated_payments: SimulatedPayments
  simulated_refunds: SimulatedRefunds
  stock_movements: StockMovements
  submitted_forms: SubmittedForms
  surge_overrides: SurgeOverrides
  surge_snapshots: SurgeSnapshots
  surge_states: SurgeStates
  test_clocks: TestClocks
  unknown_carrier_statuses: UnknownCarrierStatuses
  unmatched_disputes: UnmatchedDisputes
  users: Users
  webhook_attempts: WebhookAttempts
  webhook_bulk_replays: WebhookBulkReplays
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
  webhook_events: WebhookEvents
  webhook_leases: WebhookLeases
  webhook_secrets: WebhookSecrets
  webhook_subscriptions: WebhookSubscriptions
}
