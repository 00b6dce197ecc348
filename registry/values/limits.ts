/** Limits of the specification (section 8) and of this service, each with its reason. */

/** Default and maximum page size of every list (spec 8). */
export const pageSize = { default: 25, max: 100 } as const

/**
 * Maximum number of exports that a merchant may run at the same time in each process: one by an accounting program and
 * one by a person.
 */
export const exportsMax = 2

/**
 * Number of records of an export that one statement reads. It equals the largest page size of a list, because the
 * statements of lists are fast at this size.
 */
export const exportBatchSize = 100

/**
 * An export up to a given time is complete if it starts at least this many minutes after that time. A record gets its
 * creation time before its transaction is committed, so it becomes visible only later. When the export starts, every
 * record with a creation time before the given time is committed. Five minutes exceed the longest request (30 s, with a
 * carrier), the longest transaction of a job and the largest permitted error of a clock (60 s) together.
 */
export const exportSettledMinutes = 5

/** Maximum number of days of a report: a leap year. The database adds up a limited number of days for each report. */
export const reportDaysMax = 366

/** Number of days that a report covers if the request has no `from`. */
export const reportDaysDefault = 30

/** Time after which an export is aborted if its client reads nothing, longer than most interruptions of a mobile connection. */
export const exportIdleSeconds = 60

/** Lifetime of a cursor. Clients should not cache a cursor for 24 hours or more (spec 8). */
export const cursorLifetimeHours = 24

/**
 * Time for which the service stores an idempotency key. Afterwards a request with the same key runs as a new operation
 * (spec 8).
 */
export const idempotencyWindowHours = 24

/** Maximum length of an idempotency key in ASCII characters (spec 8). */
export const idempotencyKeyMaxLength = 255

/** Time within which a webhook receiver must respond with a 2xx status (spec 8). */
export const webhookAcknowledgementSeconds = 10

/**
 * Maximum difference between the timestamp of a signature and the clock of the receiver, in either direction (spec 6).
 */
export const webhookToleranceSeconds = 300

/** Delays before the six retries of a webhook delivery, in order (spec 3). */
export const webhookRetryDelaysMinutes = [1, 5, 30, 2 * 60, 12 * 60, 24 * 60] as const

/** Number of consecutive failures that disable a webhook endpoint (spec 3). */
export const webhookFailuresBeforeDisabling = 6

/**
 * Maximum number of webhook endpoints of a merchant. The number is limited, because every mutation creates a delivery
 * for each subscribed endpoint. The back office, the partners and the tests of a merchant need fewer endpoints.
 */
export const webhookEndpointsMax = 16

/**
 * Grace period in which the previous signing secret stays valid after a rotation. A day suffices to deploy the new
 * secret; a leaked secret must not stay valid for more than a week.
 */
export const webhookSecretGraceHours = { default: 24, max: 7 * 24 } as const

/** Maximum length of an endpoint description, which is displayed next to the URL in a list. */
export const webhookDescriptionMaxLength = 120

/**
 * Maximum number of custom headers of a webhook endpoint. A gateway needs one or two, such as an API key and a client
 * id.
 */
export const webhookHeadersMax = 5

/** Maximum length of the name of a custom header. The names of common gateways are below 32 characters. */
export const webhookHeaderNameMaxLength = 64

/**
 * Maximum length of the value of a custom header, enough for a signed token. The values of five headers, the maximum
 * number, stay below 8 KiB. Common servers reject request headers above this size.
 */
export const webhookHeaderValueMaxLength = 1024

/**
 * Delays in seconds of new deliveries to a failing endpoint, after its first, second and further consecutive failures.
 * The delays of simultaneous failures add up, so six consecutive failures take at least a minute. In this time, the
 * receiver may restart and accept the first retries, so a restart does not disable a busy endpoint. A deployment can
 * configure other delays.
 */
export const webhookPacesSeconds = [2, 4, 8, 16, 32] as const

/**
 * Maximum age of the events that `GET /events` returns. The last retry of a delivery is 38 hours and 36 minutes after
 * the first attempt; 30 days also cover a receiver that fails during a long holiday, and are usual for event APIs.
 */
export const eventFeedDays = 30

/**
 * Minimum retention of events, deliveries and attempts: the age limit of the event list and five more days to
 * investigate a failure.
 */
export const webhookRetentionDays = eventFeedDays + 5

/**
 * Number of days between the notification of the merchant and the expiry of undelivered events. In this time, the
 * merchant can repair and enable the endpoint.
 */
export const webhookExpiryNoticeDays = 7

/**
 * Maximum age of deliveries in a bulk replay. Two weeks cover a receiver that fails during a long holiday. Older
 * deliveries may be in a monthly partition that is already dropped.
 */
export const webhookReplayDays = 14

/** Retention of the request log: long enough to investigate a failed integration after a weekend. */
export const requestLogDays = 7

/** Time for which a revoked token may still be accepted, because each process caches token lookups. */
export const tokenCacheSeconds = 5

/**
 * Size limits of a request body. They are checked before parsing, so that a large body does not delay other requests.
 */
export interface BodyLimits {
  readonly bytes: number
  /** Maximum number of object members and array elements in a whole request body. */
  readonly values: number
}

/**
 * Default size limits of a request body. The largest order, with 100 items and 50 metadata entries, has 46 KB and 520
 * values.
 */
export const bodyLimits: BodyLimits = { bytes: 64 * 1024, values: 2_000 }

/** Maximum number of bytes that an operation may declare as its body limit. */
export const bodyMaxBytes = 1024 * 1024

/**
 * Size limits of the request body of product creation. The largest product, with 100 variants and all their metadata,
 * has 700 KB and 6,900 values.
 */
export const newProductLimits: BodyLimits = { bytes: bodyMaxBytes, values: 10_000 }

/**
 * Size limits of request bodies of product updates and discounts. The largest valid body of these requests has 113 KB.
 */
export const catalogueLimits: BodyLimits = { bytes: 256 * 1024, values: 2_000 }

export const productTitleMaxLength = 200

/** Maximum nesting depth of a request body. No operation needs more than four levels; the limit bounds recursion. */
export const bodyMaxDepth = 16

/** Maximum number of characters of a JSON number, more than any amount or coordinate needs. */
export const numberMaxCharacters = 40

/** Maximum body size of a callback. Callbacks of carriers and payment providers have a few kilobytes. */
export const callbackMaxBytes = 256 * 1024

/**
 * Maximum size of the body of a callback whose body is not signed. The limit is lower than for a signed body: such a
 * callback only names a record, and anyone who has seen a callback can send further ones.
 */
export const unsignedCallbackMaxBytes = 16 * 1024

/** Maximum amount: one billion naira in kobo. It exceeds any order, and is far below 2^53, so sums stay exact. */
export const amountMaxKobo = 100_000_000_000

/** Maximum number of items of an order. More items indicate an import of data rather than a sale. */
export const orderLinesMax = 100

/** Maximum quantity of one order item. A larger quantity indicates an import of data rather than a sale. */
export const lineQuantityMax = 1000

/** Maximum number of addresses of a customer, several times the usual home, work and family addresses. */
export const customerAddressesMax = 20

/** Maximum number of discount codes of an order: one for each class of discount. */
export const orderDiscountsMax = 3

/**
 * Maximum number of products or variants to which a discount can be limited. A discount for more of them should apply
 * to the whole order.
 */
export const discountTargetsMax = 500

/**
 * Maximum number of customers to whom a discount can be limited. A discount for more customers should apply to all
 * customers.
 */
export const discountCustomersMax = 1000

/** Maximum number of invalid values that one validation error lists. A longer list does not help the client. */
export const validationProblemsMax = 20

/** Maximum number of variants in a batch of prices or stock, as on the largest page of a list. */
export const batchEntriesMax = 100

/** Maximum size of an imported file: 100,000 lines of a catalogue with descriptions. */
export const importMaxBytes = 32 * 1024 * 1024

/** Maximum number of records of an imported file after its header. A larger catalogue is split into several files. */
export const importLinesMax = 100_000

/**
 * Maximum number of columns of an imported file, and of cells in each of its lines. Even the export of a shop with many
 * extensions has only a fraction of this number.
 */
export const importColumnsMax = 500

/**
 * Maximum size of one line of an imported file. The largest product of an export has 100 variants and 20 images in cells
 * of one line.
 */
export const importRecordMaxBytes = 1024 * 1024

/** An import and its file are deleted this number of hours after the last progress of the import. */
export const importHours = 24

/**
 * Maximum number of checked files of a merchant whose import has not been started. The next upload deletes the oldest
 * of these files.
 */
export const importCheckedMax = 5

/** Maximum number of recorded remittances in a response. A carrier transfers its cash a few times a week. */
export const remittancesShownMax = 100

/**
 * Maximum number of consecutive attempts in which an import creates no further product. After this number of attempts,
 * the import fails.
 */
export const importAttemptsMax = 20

/** Maximum number of problems, notes and existing products that the report of an import lists. */
export const importProblemsMax = 100

/**
 * Maximum number of variants of a product: three options with a few values each. More variants would make pages too
 * large.
 */
export const productVariantsMax = 100

/** Maximum number of options of a product: size, colour and one more, which suffices for fashion. */
export const productOptionsMax = 3

/** Maximum number of values of an option, which equals the maximum number of variants. */
export const optionValuesMax = 100

/** Maximum number of images of a product. The pages of shops show fewer images of a product than this. */
export const productImagesMax = 20

/** Maximum on-hand quantity. It exceeds any real stock, and the sum of two quantities fits PostgreSQL’s integer. */
export const onHandMax = 1_000_000_000

/**
 * Maximum length of pickup and dropoff instructions. Uber shows this many characters to riders; other carriers show
 * more.
 */
export const placeInstructionsMaxLength = 280

/**
 * Maximum number of entries in the parcel list of a shipment. One rider carries all parcels of a shipment. A larger
 * order needs several shipments.
 */
export const parcelsMax = 20

/** Maximum quantity of one entry in the parcel list of a shipment. A larger order needs several shipments. */
export const parcelItemsMax = 50

/**
 * Maximum total weight of the parcels of a shipment: 50 kg, which one driver can carry alone. No carrier has a higher
 * limit.
 */
export const parcelsWeightMaxGrams = 50_000

/**
 * Maximum distance in kilometres between the point of the `near` parameter and a delivery zone in the response. Riders
 * do not come from farther away.
 */
export const nearReachKilometers = 10

/**
 * Maximum age of a surge price that the API still returns: a quarter of a year, in which a merchant may dispute a
 * quote.
 */
export const surgeHistoryDays = 90

/** Lifetime of an offer: enough time to choose, and short enough for prices that depend on traffic. */
export const quoteLifetimeMinutes = 10

/** Upper limit of `failover.maxAttempts`, the number of dispatch attempts of a shipment. */
export const dispatchAttemptsMax = 5

/** Maximum wait timeout of a long poll, shorter than the idle timeout of proxies. */
export const trackWaitMaxSeconds = 25

/** Maximum length of carrier codes and zone ids. The longest of them has 20 characters. */
export const carrierNameMaxLength = 60
export const zoneIdMaxLength = 60

/** Maximum length of a product or variant id in a discount. Valid ids have 30 characters. */
export const targetIdMaxLength = 100

/** Maximum total size of the request headers in bytes. It therefore also limits each single header. */
export const headersMaxBytes = 16 * 1024

/**
 * Maximum imprecision of a place's coordinates, in metres, for delivery by an on-demand rider. With a phone call, a
 * rider finds a house within a few kilometres of the point; a larger distance can mean another town.
 */
export const onDemandPrecisionMeters = 5_000

/** Maximum length of the reason of a refund: a short sentence, longer than any code. */
export const refundReasonMaxLength = 100

/**
 * Minimum number of days until a link for a buyer expires: longer than a delivery takes, and longer than most return
 * periods. The link still expires within months, because it cannot be withdrawn.
 */
export const buyerLinkDays = 90

/** Minutes until a payment link expires: a few minutes at least, a day by default, and thirty days at most. */
export const paymentLinkMinutes = { min: 5, default: 1_440, max: 43_200 } as const

/**
 * The dashboard reports the units of an exchange that have not come back within this number of days. A parcel from one
 * state of Nigeria to another takes a week at most, and the customer needs some days to hand it over.
 */
export const exchangeWaitDays = 14

/**
 * Maximum number of days of one advance of the test clock, more than twice the minimum retention of events and
 * deliveries.
 */
export const testClockAdvanceDaysMax = 90

/** Maximum number of days by which a test clock is advanced altogether, so that times stay in this century. */
export const testClockTotalDaysMax = 3650
