/**
 * The constants of the surge formula. The formula takes `SurgeRules` as a parameter, so that a simulation can try other
 * values.
 */

export interface SurgeRules {
  /** The weight of each surge signal. The ratio of the signal to its baseline is raised to the power of this weight. */
  readonly betas: SurgeBetas
  /** The maximum surge multiplier that is published. */
  readonly cap: number
}

export interface SurgeBetas {
  readonly assignmentTime: number
  readonly noCourier: number
  readonly marketPrice: number
  readonly demand: number
}

/**
 * Weights of the surge signals, found by simulation. Assignment time is the best signal of a shortage. Refusals show a
 * shortage earlier but are few, carrier prices react to it later, and demand alone is a weak signal.
 */
export const fullBetas: SurgeBetas = { assignmentTime: 0.6, noCourier: 0.5, marketPrice: 0.3, demand: 0.15 }

/**
 * The weights that the surge formula uses: half of the weights that a simulation found. This halves the effect of
 * errors in the simulation until real data is measured.
 */
const halfBetas: SurgeBetas = {
  assignmentTime: fullBetas.assignmentTime / 2,
  noCourier: fullBetas.noCourier / 2,
  marketPrice: fullBetas.marketPrice / 2,
  demand: fullBetas.demand / 2,
}

/** The cap limits surge to double the fare, because customers do not pay more than that for finding a rider. */
export const surgeRules: SurgeRules = { betas: halfBetas, cap: 2 }

/** Half-life in minutes of an observation's weight: about the time until a rider is free again. */
export const halfLifeMinutes = 8

/** Maximum age in minutes of the observations that are read. The weight of older ones is about one fiftieth or less. */
export const windowMinutes = 45

/**
 * Defaults for a zone without any data: a rider is assigned after four minutes, and one attempt in twelve finds no
 * rider. Local carriers promise these values.
 */
export const defaultAssignSeconds = 240
export const defaultNoCourierRate = 0.08

/** Share of quotes that become shipments, for a zone without any data. */
export const defaultConversion = 0.3

/** Number of observed quotes that together have the same weight as the default conversion rate. */
export const conversionPrior = 10

/**
 * Weight of the baseline of each surge signal, in observations, so that a single unusual shipment is not treated as a
 * trend.
 */
export const assignPrior = 3
export const noCourierPrior = 4
export const pricePrior = 4

/**
 * Maximum share of one merchant in the total weight of a surge signal, which includes the weight of the baseline. With
 * this share, one merchant alone cannot reach the minimum number of samples, and five merchants with equal weights are
 * not limited.
 */
export const merchantShareMax = 0.2

/**
 * Weight of the demand baseline, as a number of orders and quotes per minute. In the time-decayed observation window,
 * this number amounts to about four orders and quotes.
 */
export const priorDemandPerMinute = 0.35

/**
 * The effective length of the observation window in minutes, after the time decay: the total weight of the observations
 * if one arrives each minute.
 */
export const decayedMinutes = halfLifeMinutes / Math.LN2

/**
 * A rate of orders per minute that is added to both the demand and its baseline, so that one order in an inactive zone
 * is not a demand peak.
 */
export const demandFloor = 0.05

/** Number of samples at which a zone and its city have equal weight in the blended surge. */
export const confidencePrior = 4

/**
 * Minimum number of samples in a zone. With fewer samples, the zone has no surge and its published basis is
 * `insufficient_data`.
 */
export const minSamples = 3

/**
 * Share of the neighbouring zones in a zone's surge, so that the price changes little across a border between zones.
 */
export const neighbourShare = 0.2

/**
 * Weight of the newest value in the exponential smoothing of surge. A lasting change is visible after one publication,
 * but a short peak is not.
 */
export const smoothingShare = 0.3
export const tickMs = 60_000

/**
 * Time between two publications of the surge multipliers. The publications are aligned to the clock, so that all zones
 * publish at the same time.
 */
export const publicationMs = 5 * 60_000

/**
 * Surge multipliers are published in steps of 0.05. A difference below three quarters of a step does not change the
 * published multiplier.
 */
export const stepHundredths = 5
export const hysteresis = 0.0375

/**
 * Maximum rise and maximum fall of a multiplier from one publication to the next. Surge may rise faster than it falls,
 * because riders leave faster than they return.
 */
export const riseMax = 0.2
export const fallMax = 0.1

/**
 * If the next publication is late, the published multiplier stays in force for two more publication intervals. After
 * that time, the multiplier 1 applies.
 */
export const graceMs = 2 * publicationMs

/** Surge amounts are rounded to 50 naira, as fares are. */
export const surgeStepKobo = 5_000

/**
 * Number of previous weeks for a surge baseline. The baseline is computed from the same hour of each of these weeks.
 */
export const baselineWeeks = 4
/**
 * Limits of a baseline, as a multiple of its default. Without these limits, a shortage that returns every Friday would
 * become the usual value, and would no longer be treated as a shortage.
 */
export const assignBaseline = { min: defaultAssignSeconds / 2, max: defaultAssignSeconds * 1.5 } as const
export const noCourierBaseline = { min: defaultNoCourierRate / 2, max: defaultNoCourierRate * 2 } as const

/** Minimum number of weeks with data for a baseline of demand or of a carrier's prices. */
export const knownWeeksMin = 2

/** Minimum number of offers of a carrier service in one hour. With fewer offers, their mean price is not used. */
export const pricedOffersMin = 3

/** The trend of surge is `steady` when the smoothed multiplier changes by less than this value. */
export const trendMin = 0.02
