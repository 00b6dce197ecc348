/**
 * Sends the responses to rejected requests a moment later. A client that retries at once then sends a few dozen requests a second
 * on each connection instead of a thousand, and the requests of other clients do not wait behind them.
 */
export interface HeldResponses {
  send(respond: () => void): void
}

/**
 * Below the 50 ms within which a rejected request has its response. Chosen at random for each response: many clients that were
 * rejected together would otherwise all return in the same millisecond.
 */
const holdMs = { min: 15, max: 40 }

/** Far more connections than clients of a normal service have. Above it, memory counts for more than pace. */
const heldMax = 5_000

export function openHeldResponses(): HeldResponses {
  let held = 0
  return {
    send: (respond) => {
      if (held >= heldMax) {
        respond()
        return
      }
      held += 1
      setTimeout(
        () => {
          held -= 1
          respond()
        },
        holdMs.min + Math.random() * (holdMs.max - holdMs.min),
      )
    },
  }
}
