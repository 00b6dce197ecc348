import type { Operation } from '../document.ts'
import { makeRequest } from '../make-request.ts'
import { expectStatus, generatorFor, observe, type Run } from '../observe.ts'
import { textPlacesOf } from '../text-places.ts'

/** The control character BEL. It is not white space, so it is invalid even in texts that may have several lines. */
const control = '\u0007'

/**
 * Checks that fields for human-readable texts reject control characters, because the texts are displayed, printed and
 * logged.
 */
export async function checkTexts(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'texts' })
  const request = makeRequest(generator, operation)
  if (request === undefined) return
  for (const place of textPlacesOf(generator, operation)) {
    const expect = expectStatus([400], `A control character in ${place.place}`)
    await observe(run, {
      operation,
      check: 'broken',
      request: { ...request, body: place.with(withControl(place.text)) },
      expect,
    })
  }
}

/** Replaces one character of the text by a control character, so that its length stays valid. */
function withControl(text: string): string {
  const middle = Math.floor(text.length / 2)
  return text.slice(0, middle) + control + text.slice(middle + 1)
}
