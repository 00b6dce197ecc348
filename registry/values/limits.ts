/** Every number of the specification's section 8, and the few this service adds, each with its reason. */

/** Spec 8: page size on every list endpoint. */
export const pageSize = { default: 25, max: 100 } as const

/** Spec 8: a cursor is not to be kept for 24 hours or more, so that is when it stops working. */
export const cursorLifetimeHours = 24

/** Spec 8: the same key runs as a new operation afterwards. */
export const idempotencyWindowHours = 24

/** Spec 8: at most 255 ASCII characters. */
export const idempotencyKeyMaxLength = 255

/** Spec 8: a receiver has this long to answer with a 2xx. */
export const webhookAcknowledgementSeconds = 10

/** Spec 6: a receiver refuses a signature whose `t` is further than this from its clock, either way. */
export const webhookToleranceSeconds = 300

/** Spec 3: the delays before the six retries, in order. */
export const webhookRetryDelaysMinutes = [1, 5, 30, 2 * 60, 12 * 60, 24 * 60] as const

/** Spec 3: six failures in a row disable the endpoint. */
export const webhookFailuresBeforeDisabling = 6

/** Every mutation tells all of them what they subscribe to; a shop's back office, its partners and their trials are fewer. */
export const webhookEndpointsMax = 16

/** A day to bring a new signing secret to the receivers; a leaked one must not stay valid for more than a week. */
export const webhookSecretGraceHours = { default: 24, max: 7 * 24 } as const

/** As much as fits beside a URL in a list. */
export const webhookDescriptionMaxLength = 120

/**
 * While an endpoint fails, first attempts to it wait this long after its first, second … failure in a row. Six failures
 * then span a minute, so that a receiver’s restart does not disable a busy endpoint in half a second. A deployment may
 * choose others.
 */
export const webhookPacesSeconds = [2, 4, 8, 16, 32] as const

/**
 * How long GET /events shows an event. The last retry is 38 hours and 36 minutes after the first attempt; a month also covers a
 * receiver that was broken over a long holiday, and is as long as others keep theirs.
 */
export const eventFeedDays = 30

/**
 * How long events, deliveries and attempts are kept at least: as long as the feed shows them, and a few days more in which
 * somebody may still look into a failure.
 */
export const webhookRetentionDays = eventFeedDays + 5

/** A merchant is told so long before what an endpoint is still owed is no longer kept: time to mend and enable it. */
export const webhookExpiryNoticeDays = 7

/**
 * How far back deliveries can be replayed in bulk. Two weeks cover a receiver that was broken over a long holiday, and
 * what is older may be in a month that is no longer kept.
 */
export const webhookReplayDays = 14

/** A revoked token may still be answered for this long, because each process caches what it looked up. */
export const tokenCacheSeconds = 5

/** What a body may amount to. All three are judged before it is parsed, so that no body holds up other requests. */
export interface BodyLimits {
  readonly bytes: number
  /** Members of all objects and elements of all arrays together. */
  readonly values: number
}

/** An order of a hundred lines with fifty entries of metadata has 46 KB and 520 values, each as large as it may be. */
export const bodyLimits: BodyLimits = { bytes: 64 * 1024, values: 2_000 }

/** The most an operation may declare. */
export const bodyMaxBytes = 1024 * 1024

/** A product of a hundred variants, each with all its metadata, has 700 KB and 6,900 values. */
export const newProductLimits: BodyLimits = { bytes: bodyMaxBytes, values: 10_000 }

/** All the options and pictures of a product, or a discount with all its targets and customers, have 113 KB. */
export const catalogueLimits: BodyLimits = { bytes: 256 * 1024, values: 2_000 }

/** Four levels are the most that any operation has; a client must not choose how deep our calls go. */
export const bodyMaxDepth = 16

/** Longer than any amount or coordinate is written. */
export const numberMaxCharacters = 40

/** A carrier's or payment provider's callback has a few kilobytes. */
export const callbackMaxBytes = 256 * 1024

/** One billion naira in kobo: far above any order, far below 2^53, so that sums of many stay exact. */
export const amountMaxKobo = 100_000_000_000

/** An order with more lines than this is an import, not a sale. */
export const orderLinesMax = 100

/** As above, for the pieces of one line. */
export const lineQuantityMax = 1000

/** Home, work and family many times over; more than this is a courier’s book, not a customer’s. */
export const customerAddressesMax = 20

/** Codes an order can name: one for each class of discount. */
export const orderDiscountsMax = 3

/** A discount for more single products or variants than this is one for a whole collection, or for the order. */
export const discountTargetsMax = 500

/** A discount for more customers by name than this is one for everybody. */
export const discountCustomersMax = 1000

/** Beyond this a list of problems helps nobody. */
export const validationProblemsMax = 20

/** Three options of a few values each make this many; more would make a page of a hundred products too large to send. */
export const productVariantsMax = 100

/** Size, colour and one more are what clothes differ in. */
export const productOptionsMax = 3

/** No option needs more values than a product may have variants. */
export const optionValuesMax = 100

/** More pictures than anybody looks at. */
export const productImagesMax = 20

/** Far above any shelf, and the sum of two still fits PostgreSQL’s integer. */
export const onHandMax = 1_000_000_000

/** Uber’s riders are shown this much; others show more, none much less. */
export const placeInstructionsMaxLength = 280

/** What goes by one rider; an order with more kinds of parcels goes as several shipments. */
export const parcelsMax = 20

/** Pieces of one kind, as above. */
export const parcelItemsMax = 50

/** Fifty kilograms: what a van’s driver carries alone, and the most any carrier here takes as one parcel. */
export const parcelsWeightMaxGrams = 50_000

/** A point further than this from every zone is not near any: a rider does not come from there. */
export const nearReachKilometers = 10

/** How far back a published surge can be asked for: a quarter, in which a quote made with it may be disputed. */
export const surgeHistoryDays = 90

/** How long an offer holds: long enough to choose, short enough for prices that follow the traffic. */
export const quoteLifetimeMinutes = 10

/** The dispatch of one shipment never asks more carriers than this, whatever the merchant says. */
export const dispatchAttemptsMax = 5

/** How long a request for the whereabouts may wait for news: less than proxies hold an idle connection. */
export const trackWaitMaxSeconds = 25

/** Codes of carriers and ids of zones are words of this service; the longest has 20 characters. */
export const carrierNameMaxLength = 60
export const zoneIdMaxLength = 60

/** Any id has 30 characters; what is longer is none of a product or variant. */
export const targetIdMaxLength = 100

/** The headers of a request have at most this many bytes together, and so has each of them. */
export const headersMaxBytes = 16 * 1024

/** A rider on demand finds a house within a few kilometres of the point by the phone; further off it is another town. */
export const onDemandPrecisionMeters = 5_000
