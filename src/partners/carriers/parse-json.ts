import { storableValue } from '../../base/storable-text.ts'

/** Matches the JSON escapes of NUL and of surrogates. A text without them can be stored as it is. */
const suspectEscape = /\\u(?:0000|d[89a-f])/i

/**
 * Parses the JSON text of a carrier's response. Returns undefined if it is not JSON. Characters that cannot be stored
 * are replaced: otherwise no poll of an order with such a character, for example in the name of its rider, could be
 * stored, and the shipment would never get its next status.
 */
export function parseJson(text: string): unknown {
  try {
    return suspectEscape.test(text) ? JSON.parse(text, storableValue) : JSON.parse(text)
  } catch {
    return undefined
  }
}
