// DO NOT EDIT. Written by `npm run generate` from the migrated schema.

import type { ColumnType } from 'kysely'

/** A column the database fills in when an insert leaves it out. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

export interface ApiTokens {
  merchantId: string
  id: string
  name: string
  prefix: string
  lastFour: string
  tokenHash: Buffer
  scopes: string[]
  ipAllowlist: Generated<string[]>
  createdBy: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  lastUsedIp: string | null
}

export interface AuditChain {
  merchantId: string
  number: number
  auditId: string
  hash: Buffer
}

export interface AuditHeads {
  merchantId: string
  number: number
  hash: Buffer
  sealedAt: string
  keyId: string | null
  signature: Buffer | null
}

export interface AuditLog {
  merchantId: string
  id: string
  occurredAt: string
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
  recordedAt: Generated<string | null>
  sessionId: string | null
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

export interface AuditResources {
  merchantId: string
  resourceId: string
  auditId: string
}

export interface CarrierAccounts {
  merchantId: string
  carrier: string
  sealedCredentials: Buffer
  hint: string
  callbackKey: string
  createdAt: string
  updatedAt: string
}

export interface CarrierAddressCodes {
  merchantId: string
  carrier: string
  accountDigest: string
  addressDigest: string
  code: number
  createdAt: string
}

export interface CarrierAssignmentTimes {
  carrier: string
  zoneId: string
  isOnDemand: boolean
  sampleSize: number
  p95Seconds: number | null
  rolledUpAt: string
}

export interface CarrierCallWindows {
  merchantId: string
  carrier: string
  accountDigest: string
  minuteAt: string
  minuteCalls: number
  secondAt: string
  secondCalls: number
}

export interface CarrierCallbacks {
  merchantId: string
  id: string
  carrier: string
  dedupeHash: Buffer
  body: Buffer
  parsedBody: JsonColumn | null
  isTrusted: boolean
  sourceIp: string
  requestId: string
  userAgent: string | null
  receivedAt: string
  nextAttemptAt: string | null
  processedAt: string | null
  outcome: string | null
  reason: string | null
  failures: Generated<number>
  error: string | null
}

export interface CarrierRecords {
  zoneId: string
  carrier: string
  succeeded: number
  failed: number
  rolledUpAt: string
}

export interface CustomerAddresses {
  merchantId: string
  customerId: string
  id: string
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
  createdAt: string
  updatedAt: string
}

export interface Customers {
  merchantId: string
  id: string
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
  deletedAt: string | null
  createdAt: string
  updatedAt: string
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
  baseFareKobo: number
  perKmKobo: number
  includedMeters: number
  perKgKobo: number
  includedGrams: number
  averageSpeedKmh: number
  active: Generated<boolean>
  createdAt: string
  updatedAt: string
}

export interface DiscountRedemptions {
  merchantId: string
  id: string
  discountId: string
  orderId: string
  amountKobo: number
  customerId: string | null
  customerEmail: string
  customerPhone: string | null
  createdAt: string
  releasedAt: string | null
}

export interface Discounts {
  merchantId: string
  id: string
  title: string
  code: string | null
  type: string
  percentageBps: number | null
  amountKobo: number | null
  maxDiscountKobo: number | null
  appliesToScope: Generated<string>
  appliesToIds: Generated<string[]>
  minimumSubtotalKobo: number | null
  minimumQuantity: number | null
  startsAt: string
  endsAt: string | null
  usageLimit: number | null
  usageLimitPerCustomer: number | null
  firstOrderOnly: Generated<boolean>
  customerIds: string[] | null
  combinesWith: Generated<string[]>
  status: Generated<string>
  redemptionCount: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  createdAt: string
  updatedAt: string
}

export interface DispatchAttempts {
  merchantId: string
  shipmentId: string
  number: number
  carrier: string
  reference: string
  state: string
  offer: JsonColumn
  priceKobo: number
  carrierReference: string | null
  outcomeCode: string | null
  outcomeMessage: string | null
  cancelFeeKobo: number | null
  duplicateCostKobo: number | null
  startedAt: string
  answeredAt: string | null
  resolvedAt: string | null
  notFoundCount: Generated<number>
  notFoundSince: string | null
  checks: Generated<number>
  nextCheckAt: string | null
  assignDeadline: string | null
  monitorUntil: string | null
}

export interface EncryptionKeyHolders {
  processId: string
  label: string
  keyIds: string[]
  seenAt: string
}

export interface EncryptionKeys {
  id: string
  usedSince: string
  retiredAt: string | null
}

export interface IdempotencyKeys {
  merchantId: string
  route: string
  key: string
  fingerprint: Buffer
  tokenId: string
  requestId: string
  responseStatus: number | null
  responseBody: string | null
  responseLocation: string | null
  refundId: string | null
  createdAt: string
  expiresAt: string
}

export interface Inventory {
  merchantId: string
  variantId: string
  onHand: Generated<number>
  reserved: Generated<number>
  available: ColumnType<number, never, never>
  tracked: Generated<boolean>
  allowBackorder: Generated<boolean>
  lowStockThreshold: number | null
  isLow: Generated<boolean>
  updatedAt: string
  productLowStockThreshold: number | null
}

export interface Invitations {
  merchantId: string
  id: string
  tokenHash: Buffer
  email: string
  name: string | null
  role: string
  createdBy: string
  createdAt: string
  expiresAt: string
  acceptedAt: string | null
  revokedAt: string | null
  creatorMemberId: string | null
}

export interface KnownDevices {
  tokenHash: Buffer
  userId: string
  createdAt: string
  lastUsedAt: string
}

export interface LogisticsObservations {
  merchantId: string
  shipmentId: string
  kind: string
  carrier: string
  zoneFrom: string | null
  zoneTo: string | null
  hourBucket: number
  seconds: number | null
  isCensored: Generated<boolean>
  isInferred: Generated<boolean>
  observedAt: string
  recordedAt: string
}

export interface LogisticsQuantiles {
  merchantId: string
  kind: string
  hourBucket: number
  sampleSize: number
  seconds: number[]
  updatedAt: string
}

export interface Members {
  merchantId: string
  id: string
  userId: string
  role: string
  createdAt: string
  removedAt: string | null
}

export interface Merchants {
  id: string
  name: string
  mode: string
  liveMerchantId: string | null
  defaultState: Generated<string>
  taxRegistered: Generated<boolean>
  taxRateBps: Generated<number>
  taxInclusive: Generated<boolean>
  lowStockThreshold: Generated<number | null>
  pendingOrderTtlMinutes: Generated<number | null>
  suspendedAt: string | null
  createdAt: string
  autoConfirmPayOnDelivery: Generated<boolean>
  defaultPickup: JsonColumn | null
  rateLimits: string | null
}

export interface NotificationMails {
  createdAt: string
  nextAttemptAt: string | null
  completedAt: string | null
  attempts: Generated<number>
  merchantId: string
  notificationId: string
  memberId: string
  status: Generated<string>
  lastError: string | null
}

export interface NotificationPositions {
  merchantId: string
  memberId: string
  readBefore: string
}

export interface NotificationPreferences {
  merchantId: string
  memberId: string
  kind: string
  byEmail: boolean
}

export interface NotificationReads {
  merchantId: string
  memberId: string
  notificationId: string
}

export interface Notifications {
  merchantId: string
  id: string
  kind: string
  endpointId: string | null
  data: Generated<JsonColumn>
  createdAt: string
  readAt: string | null
  isMailPlanned: Generated<boolean>
  resolvedAt: string | null
}

export interface OrderDiscounts {
  merchantId: string
  orderId: string
  discountId: string
  position: number
  code: string
  type: string
  amountKobo: number
  allocations: JsonColumn
}

export interface OrderItems {
  merchantId: string
  orderId: string
  id: string
  position: number
  productId: string | null
  variantId: string | null
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
  unitPriceKobo: number
  compareAtPriceKobo: number | null
  subtotalKobo: number
  discountKobo: Generated<number>
  taxRateBps: Generated<number>
  taxKobo: Generated<number>
  totalKobo: number
  lostQuantity: Generated<number>
}

export interface OrderStatusChanges {
  merchantId: string
  orderId: string
  version: number
  fromStatus: string
  toStatus: string
  reason: string | null
  actorType: string
  actorId: string | null
  occurredAt: string
}

export interface Orders {
  merchantId: string
  id: string
  number: string
  status: string
  heldFrom: string | null
  version: Generated<number>
  customerId: string | null
  customerName: string
  customerEmail: string
  customerPhone: string | null
  paymentMethod: string
  subtotalKobo: number
  discountKobo: Generated<number>
  shippingKobo: Generated<number>
  taxKobo: Generated<number>
  totalKobo: number
  taxInclusive: boolean
  taxRateBps: number
  paidKobo: Generated<number>
  refundedKobo: Generated<number>
  refundPendingKobo: Generated<number>
  refundedTaxKobo: Generated<number>
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
  expiresAt: string | null
  confirmedAt: string | null
  paidAt: string | null
  shippedAt: string | null
  deliveredAt: string | null
  cancelledAt: string | null
  returnedAt: string | null
  createdAt: string
  updatedAt: string
  cancelNote: string | null
  providerPaidKobo: Generated<number>
}

export interface PasskeyChallenges {
  tokenHash: Buffer
  challenge: string
  sessionId: string | null
  network: string | null
  expiresAt: string
}

export interface Passkeys {
  credentialId: string
  userId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface PaymentDisputes {
  merchantId: string
  disputeId: string
  paymentId: string
  status: string
  resolution: string | null
  lostKobo: Generated<number>
  openedAt: string
  resolvedAt: string | null
}

export interface PaymentProviderKeys {
  merchantId: string
  provider: string
  sealedSecret: Buffer
  lastFour: string
  createdAt: string
  updatedAt: string
}

export interface Payments {
  merchantId: string
  id: string
  orderId: string
  amountKobo: number
  method: string
  reference: string
  provider: Generated<string>
  paidAt: string
  disputedAt: string | null
  createdAt: string
  disputeLostKobo: Generated<number>
  voidedAt: string | null
  voidReason: string | null
}

export interface ProductVariants {
  merchantId: string
  id: string
  productId: string
  sku: string
  title: string
  optionValues: Generated<JsonColumn>
  priceKobo: number
  compareAtPriceKobo: number | null
  costKobo: number | null
  barcode: string | null
  weightGrams: number | null
  imageId: string | null
  position: number
  archivedAt: string | null
  createdAt: string
  updatedAt: string
  removedAt: string | null
}

export interface Products {
  merchantId: string
  id: string
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
  publishedAt: string | null
  archivedAt: string | null
  createdAt: string
  updatedAt: string
  skus: Generated<string>
}

export interface ProviderCallbacks {
  merchantId: string
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
  receivedAt: string
  nextAttemptAt: string | null
  outcome: string | null
  reason: string | null
  processedAt: string | null
  failures: Generated<number>
  error: string | null
}

export interface QuoteOffers {
  merchantId: string
  quoteId: string
  id: string
  rank: number
  carrier: string
  service: string
  serviceLevel: string
  vehicle: string
  priceKobo: number
  carrierPriceKobo: number
  breakdown: JsonColumn
  pickupMinutes: JsonColumn | null
  dropoffMinutes: JsonColumn | null
  reliability: number
  priceLock: string
  token: string
  tags: Generated<string[]>
  expiresAt: string
  subCarrier: string | null
}

export interface Quotes {
  merchantId: string
  id: string
  orderId: string | null
  status: string
  pickup: JsonColumn
  dropoff: JsonColumn
  parcels: JsonColumn
  vehicle: string
  serviceLevels: string[]
  pickupWindow: JsonColumn | null
  dropoffWindow: JsonColumn | null
  declaredValueKobo: number | null
  pickupZoneId: string | null
  dropoffZoneId: string | null
  distanceMeters: number
  surge: JsonColumn | null
  carriers: JsonColumn
  warnings: Generated<string[]>
  createdAt: string
  expiresAt: string
  usedAt: string | null
  redactedAt: string | null
  items: JsonColumn | null
}

export interface RateLimitProcesses {
  id: string
  countedAt: string
}

export interface RateLimits {
  key: string
  arrivalAt: string
  chargeMs: Generated<number>
}

export interface RefundItems {
  merchantId: string
  refundId: string
  orderId: string
  itemId: string
  quantity: number
  restock: Generated<boolean>
  amountKobo: number
}

export interface Refunds {
  merchantId: string
  id: string
  orderId: string
  paymentId: string | null
  amountKobo: number
  taxKobo: Generated<number>
  reason: string
  note: string | null
  status: string
  destination: string
  accountNumber: string | null
  bankCode: string | null
  accountName: string | null
  provider: string
  providerReference: string | null
  submittedAt: string | null
  failureCode: string | null
  failureMessage: string | null
  orderRefundedKobo: number
  orderRefundableKobo: number
  orderPaymentStatus: string
  createdByType: string
  createdById: string | null
  metadata: Generated<JsonColumn>
  expectedAt: string | null
  succeededAt: string | null
  failedAt: string | null
  createdAt: string
  updatedAt: string
  nextCheckAt: string | null
  checks: Generated<number>
  createdProcess: string | null
  notFoundSince: string | null
  createdServer: string | null
}

export interface RequestCounts {
  merchantId: string
  hour: string
  statusClass: number
  requests: number
}

export interface RequestLog {
  occurredAt: string
  recordedXid: string
  durationMs: number
  status: number
  merchantId: string
  id: string
  tokenId: string
  operation: string
  errorCode: string | null
  sourceIp: string
}

export interface ScheduleCalibrations {
  merchantId: string
  kind: string
  widening: number
  coverage50: number
  coverage90: number
  sampleSize: number
  evaluatedAt: string | null
}

export interface SchedulePredictions {
  merchantId: string
  id: string
  shipmentId: string
  basis: string
  madeAt: string
  dispatchAt: string
  readyP50At: string
  readyP90At: string
  arrivalP50At: string
  arrivalP90At: string
  schedule: JsonColumn
  request: JsonColumn
  replannedAt: string | null
  dispatchedAt: string | null
  readyAt: string | null
  readyByAt: string | null
  arrivedAt: string | null
  completedAt: string | null
}

export interface ServiceKeys {
  purpose: string
  keyId: number
  secret: Buffer
  createdAt: string
}

export interface Sessions {
  id: string
  tokenHash: Buffer
  userId: string
  selectedMerchantId: string | null
  stage: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  authenticatedAt: string
  sourceIp: string | null
  userAgent: string | null
  revokedAt: string | null
}

export interface SharedAuditChain {
  number: number
  auditId: string
  hash: Buffer
}

export interface SharedAuditHeads {
  number: number
  hash: Buffer
  sealedAt: string
  keyId: string | null
  signature: Buffer | null
}

export interface SharedAuditLog {
  id: string
  occurredAt: string
  actorType: string
  actorLabel: string
  action: string
  resourceType: string
  resourceId: string
  changes: Generated<JsonColumn>
  recordedXid: Generated<number | null>
  recordedAt: Generated<string | null>
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
  updatedAt: string
}

export interface ShipmentEvents {
  merchantId: string
  shipmentId: string
  number: number
  attemptNumber: number | null
  status: string | null
  carrierStatus: string | null
  source: string
  description: string
  isApplied: boolean
  occurredAt: string
  receivedAt: string
}

export interface ShipmentPositions {
  merchantId: string
  shipmentId: string
  number: number
  attemptNumber: number
  lat: number
  lng: number
  headingDegrees: number | null
  source: string
  recordedAt: string
  receivedAt: string
}

export interface Shipments {
  merchantId: string
  id: string
  reference: string
  requestHash: string
  orderId: string | null
  quoteId: string | null
  offerId: string | null
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
  priceCeilingKobo: number
  carrier: string | null
  carrierReference: string | null
  trackingUrl: string | null
  labelUrl: string | null
  quotedPriceKobo: number
  priceKobo: number | null
  surgeKobo: Generated<number>
  surgeSnapshotId: string | null
  courier: JsonColumn | null
  deliveryEstimate: JsonColumn | null
  capturedProof: Generated<JsonColumn>
  exceptions: Generated<JsonColumn>
  cancelRequestedAt: string | null
  cancelReason: string | null
  cancelNote: string | null
  cancelMaxFeeKobo: number | null
  cancelFeeKobo: number | null
  cancelRefundKobo: number | null
  dispatchAt: string | null
  scheduledPickupAt: string | null
  dispatchedAt: string | null
  acceptedAt: string | null
  assignedAt: string | null
  pickedUpAt: string | null
  deliveredAt: string | null
  endedAt: string | null
  eventCount: Generated<number>
  attemptCount: Generated<number>
  nextCheckAt: string | null
  checks: Generated<number>
  metadata: Generated<JsonColumn>
  version: Generated<number>
  createdAt: string
  updatedAt: string
  pickupEstimate: JsonColumn | null
  items: JsonColumn
  itemsBooked: Generated<string>
  warnings: Generated<JsonColumn>
  removedItems: Generated<JsonColumn>
}

export interface SignInFailures {
  keyHash: Buffer
  count: number
  lastFailedAt: string
}

export interface SignInLinks {
  tokenHash: Buffer
  userId: string
  purpose: string
  createdAt: string
  expiresAt: string
  usedAt: string | null
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
  nextCallbackAt: string | null
  createdAt: string
  acceptedAt: string
  cancelledAt: string | null
  cancellationFeeKobo: number | null
}

export interface SimulatedPaymentCallbacks {
  id: ColumnType<number, never, never>
  url: string
  key: string
  body: string
  dueAt: string
  attempts: Generated<number>
}

export interface SimulatedPayments {
  account: string
  reference: string
  id: ColumnType<number, never, never>
  amountKobo: number
  behaviour: string
  paidAt: string
}

export interface SimulatedRefunds {
  id: ColumnType<number, never, never>
  account: string
  reference: string
  amountKobo: number
  note: string
  behaviour: string
  stepMs: number
  createdAt: string
  detailsAt: string | null
}

export interface StockMovements {
  merchantId: string
  id: string
  variantId: string
  reason: string
  orderId: string | null
  refundId: string | null
  onHandDelta: number
  reservedDelta: number
  onHand: number
  reserved: number
  note: string | null
  createdAt: string
}

export interface SubmittedForms {
  sessionId: string
  formId: string
  submittedAt: string
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
  createdAt: string
  expiresAt: string | null
}

export interface SurgeSnapshots {
  book: string
  zoneId: string
  id: string
  slotAt: string
  computedAt: string
  publishedAt: string
  validUntil: string
  multiplier: number
  basis: string
  trend: string
  cap: number
  raw: number
  smoothed: number
  referenceFareKobo: number
  surgeKobo: number
  factors: JsonColumn
  inputs: JsonColumn
  sampleSize: number
}

export interface SurgeStates {
  book: string
  zoneId: string
  logMultiplier: number
  tickedAt: string
  baseline: JsonColumn
  baselineHour: string
}

export interface UnknownCarrierStatuses {
  carrier: string
  status: string
  times: number
  firstAt: string
  lastAt: string
}

export interface UnmatchedDisputes {
  merchantId: string
  disputeId: string
  paymentReference: string
  status: string
  resolution: string | null
  lostKobo: number | null
  reportedAt: string
}

export interface Users {
  id: string
  email: string
  displayEmail: string
  name: string
  passwordHash: string | null
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  totpLastStep: number | null
  createdAt: string
  updatedAt: string
}

export interface WebhookAttempts {
  merchantId: string
  deliveryId: string
  number: number
  startedAt: string
  finishedAt: string
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
  merchantId: string
  id: string
  endpointId: string
  since: string
  until: string
  statuses: string[]
  status: Generated<string>
  lastDeliveryId: string | null
  queued: Generated<number>
  createdAt: string
  completedAt: string | null
}

export interface WebhookDeliveries {
  merchantId: string
  id: string
  eventId: string
  endpointId: string
  status: string
  trigger: Generated<string>
  replayOf: string | null
  attemptCount: Generated<number>
  nextAttemptAt: string | null
  isPaced: Generated<boolean>
  lostCount: Generated<number>
  leaseUntil: string | null
  leasedBy: string | null
  leaseNumber: Generated<number>
  createdAt: string
  completedAt: string | null
  bulkReplayId: string | null
}

export interface WebhookEndpoints {
  merchantId: string
  id: string
  url: string
  description: Generated<string>
  status: Generated<string>
  disabledReason: string | null
  disabledAt: string | null
  consecutiveFailures: Generated<number>
  epoch: Generated<number>
  pacedUntil: string | null
  deletedAt: string | null
  createdAt: string
  updatedAt: string
  ramp: number | null
}

export interface WebhookEvents {
  merchantId: string
  id: string
  kind: string
  resourceId: string
  body: string
  isTest: Generated<boolean>
  createdAt: string
}

export interface WebhookLeases {
  merchantId: string
  endpointId: string
  id: Generated<string>
  workerId: string
  expiresAt: string
  deliveryIds: string[]
}

export interface WebhookSecrets {
  merchantId: string
  endpointId: string
  id: string
  secret: string | null
  createdAt: string
  expiresAt: string | null
  sealed: Buffer | null
}

export interface WebhookSubscriptions {
  merchantId: string
  kind: string
  endpointId: string
}

export interface Tables {
  api_tokens: ApiTokens
  audit_chain: AuditChain
  audit_heads: AuditHeads
  audit_log: AuditLog
  audit_progress: AuditProgress
  audit_resources: AuditResources
  carrier_accounts: CarrierAccounts
  carrier_address_codes: CarrierAddressCodes
  carrier_assignment_times: CarrierAssignmentTimes
  carrier_call_windows: CarrierCallWindows
  carrier_callbacks: CarrierCallbacks
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
  order_discounts: OrderDiscounts
  order_items: OrderItems
  order_status_changes: OrderStatusChanges
  orders: Orders
  passkey_challenges: PasskeyChallenges
  passkeys: Passkeys
  payment_disputes: PaymentDisputes
  payment_provider_keys: PaymentProviderKeys
  payments: Payments
  product_variants: ProductVariants
  products: Products
  provider_callbacks: ProviderCallbacks
  quote_offers: QuoteOffers
  quotes: Quotes
  rate_limit_processes: RateLimitProcesses
  rate_limits: RateLimits
  refund_items: RefundItems
  refunds: Refunds
  request_counts: RequestCounts
  request_log: RequestLog
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
