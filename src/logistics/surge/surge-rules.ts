/** Every number of the surge formula, each with its reason. The formula takes them as one value, so that a replay can try others. */

export interface SurgeRules {
  /** How strongly each signal moves the multiplier: the exponent over its ratio to what is usual. */
  readonly betas: SurgeBetas
  /** The number published never rises above it. */
  readonly cap: number
}

export interface SurgeBetas {
  readonly assignmentTime: number
  readonly noCourier: number
  readonly marketPrice: number
  readonly demand: number
}

/**
 * As found by simulation: time to a rider is the signal that tells a shortage, refusals tell it sooner but are few, other
 * carriers’ prices follow it, and demand alone proves little.
 */
export const fullBetas: SurgeBetas = { assignmentTime: 0.6, noCourier: 0.5, marketPrice: 0.3, demand: 0.15 }

/** Half of what the simulation found: what a simulation got wrong then costs half as much, until real days are measured. */
const halfBetas: SurgeBetas = {
  assignmentTime: fullBetas.assignmentTime / 2,
  noCourier: fullBetas.noCourier / 2,
  marketPrice: fullBetas.marketPrice / 2,
  demand: fullBetas.demand / 2,
}

/** Beyond double the fare people stop believing that it is about riders. */
export const surgeRules: SurgeRules = { betas: halfBetas, cap: 2 }

/** What happened eight minutes ago counts half: about as long as a rider takes to come free again. */
export const halfLifeMinutes = 8

/** After so long a thing counts for less than a fiftieth, and need not be read. */
export const windowMinutes = 45

/** Where nothing is known: four minutes to a rider, and one asking in twelve without one, as carriers here promise. */
export const usualAssignSeconds = 240
export const usualNoCourierRate = 0.08

/** Of quotes that become shipments where nothing is known. */
export const usualConversion = 0.3

/** So many quotes the usual share counts as: fewer real ones hardly move it. */
export const conversionPrior = 10

/** As many sightings as the usual value counts for, so that one odd shipment is not a trend. */
export const assignPrior = 3
export const noCourierPrior = 4
export const pricePrior = 4

/**
 * Of a signal's weight, the usual value's included, one merchant counts for no more than a fifth: alone it does not reach
 * the least number of sightings, and five who see the same are believed in full.
 */
export const merchantShareMax = 0.2

/** Orders and quotes a minute that count as usual beside those of one merchant: four in the minutes of the decaying window. */
export const usualDemandPerMinute = 0.35

/** What a steady stream of sightings weighs when each counts half after the half-life, in minutes of the stream. */
export const decayedMinutes = halfLifeMinutes / Math.LN2

/** Orders a minute: keeps one order in a sleeping zone from looking like a rush. */
export const demandFloor = 0.05

/** Sightings at which a zone is believed half, and its city half. */
export const confidencePrior = 4

/** Under so many sightings nothing is said of a zone, and nothing added to its fares. */
export const minSamples = 3

/** How much of its neighbours a zone takes on: walking over a street should not change the price much. */
export const neighbourShare = 0.2

/** What each minute’s look moves the memory by: a change shows after a publication, a blip does not. */
export const smoothingShare = 0.3
export const tickMs = 60_000

/** Customers see a number for so long; the clock of publications is the same for every zone. */
export const publicationMs = 5 * 60_000

/** Numbers people can compare. What is closer than this to the published one leaves it alone: three quarters of a step. */
export const stepHundredths = 5
export const hysteresis = 0.0375

/** From one publication to the next. Riders leave sooner than they come, so it may rise faster than it falls. */
export const riseMax = 0.2
export const fallMax = 0.1

/** A number whose successor is late counts for two more publications; after that it would be a guess, and fares are plain. */
export const graceMs = 2 * publicationMs

/** Rounded to fifty naira, as fares are. */
export const surgeStepKobo = 5_000

/**
 * What is usual is looked up in the same hour of the last four weeks. A shortage that comes every Friday is still a
 * shortage: what a zone is used to may differ from the usual only so much.
 */
export const baselineWeeks = 4
export const assignBaseline = { min: usualAssignSeconds / 2, max: usualAssignSeconds * 1.5 } as const
export const noCourierBaseline = { min: usualNoCourierRate / 2, max: usualNoCourierRate * 2 } as const

/** What one week alone shows of demand or of a carrier’s prices is not yet usual. */
export const knownWeeksMin = 2

/** Offers of a carrier in an hour under which its price says nothing of that hour. */
export const pricedOffersMin = 3

/** Below this the smoothed number is taken to stand still. */
export const trendMin = 0.02
