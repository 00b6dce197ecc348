/**
 * A carrier's read replica may lag by up to five minutes. For this time after an order was accepted, the order may be
 * missing in the carrier's responses. For this time after it was cancelled, the carrier may report its earlier status.
 */
export const replicationLagMs = 5 * 60_000
