import type { Point } from '../../../registry/logistics/place.ts'

/**
 * Decodes Open Location Codes (plus codes) by their published specification. A code names a cell of a grid over the
 * Earth. It starts with five pairs of digits. In each pair, one digit is for the latitude and one for the longitude.
 * Each pair divides the cell of the previous pair into twenty by twenty cells. Up to five more digits each divide the
 * cell into five rows and four columns. A `+` follows the eighth digit. A short code omits leading pairs, which are
 * recovered from a nearby place.
 */

const digits = '23456789CFGHJMPQRVWX'
const digitsBeforePlus = 8
const pairDigits = 10
const digitsMax = 15
const fineRows = 5
const fineColumns = 4

/** The height and width, in degrees, of the cell that the first two digits of a plus code identify. */
const firstCellDegrees = 20

export interface PlusCode {
  /** The digits of a plus code without the `+` and the padding zeros. */
  readonly digits: string
  /** Number of leading digits that the plus code omits. 0 for a full code. */
  readonly missing: number
}

export interface Cell {
  readonly centre: Point
  readonly heightDegrees: number
  readonly widthDegrees: number
}

/**
 * Parses a plus code, ignoring case and any text after it, such as the town. Undefined when the text is not a plus
 * code.
 */
export function parsePlusCode(text: string): PlusCode | undefined {
  const [word = ''] = text.trim().toUpperCase().split(/\s/)
  const [front, back, ...more] = word.split('+')
  if (front === undefined || back === undefined || more.length > 0) return undefined
  if (front.length > digitsBeforePlus || front.length % 2 === 1 || back.length === 1) return undefined
  const padding = /0{0,8}$/.exec(front)?.[0].length ?? 0
  const unpadded = front.slice(0, front.length - padding)
  // A plus code of a large area has fewer digits. Pairs of zeros fill the code up to the plus sign, and no digits may
  // follow the plus sign.
  if (padding > 0 && (padding % 2 === 1 || unpadded === '' || front.length < digitsBeforePlus || back !== '')) {
    return undefined
  }
  const all = unpadded + back
  if (all === '' || [...all].some((digit) => !digits.includes(digit))) return undefined
  const missing = digitsBeforePlus - front.length
  return missing === 0 && !isOnEarth(all) ? undefined : { digits: all.slice(0, digitsMax - missing), missing }
}

/**
 * Whether the first two digits of a full plus code name a place on Earth. Each of the two digits can name up to 400
 * degrees, but latitude has only 180 degrees, and longitude only 360.
 */
function isOnEarth(full: string): boolean {
  return digitValue(full, 0) * firstCellDegrees < 180 && digitValue(full, 1) * firstCellDegrees < 360
}

/** Returns the cell of the grid that a full plus code identifies. */
export function cellOf(full: string): Cell {
  let south = -90
  let west = -180
  let heightDegrees = firstCellDegrees * digits.length
  let widthDegrees = heightDegrees
  for (let index = 0; index < full.length; ) {
    const isPair = index < pairDigits
    const value = digitValue(full, index)
    const [rows, columns] = isPair ? [digits.length, digits.length] : [fineRows, fineColumns]
    const [row, column] = isPair
      ? [value, digitValue(full, index + 1)]
      : [Math.floor(value / fineColumns), value % fineColumns]
    heightDegrees /= rows
    widthDegrees /= columns
    south += row * heightDegrees
    west += column * widthDegrees
    index += isPair ? 2 : 1
  }
  return { centre: { lat: south + heightDegrees / 2, lng: west + widthDegrees / 2 }, heightDegrees, widthDegrees }
}

/**
 * Returns the cell that a short plus code means: of all cells that match the code, the cell nearest to a point. The
 * matching cells form a grid with equal steps.
 */
export function nearestCell(code: PlusCode, near: Point): Cell {
  const step = stepDegrees(code)
  const front = digitsOf(near).slice(0, code.missing)
  const { centre, heightDegrees, widthDegrees } = cellOf(front + code.digits)
  const lat = centre.lat + step * Math.round((near.lat - centre.lat) / step)
  const lng = centre.lng + step * Math.round((near.lng - centre.lng) / step)
  return { centre: { lat, lng }, heightDegrees, widthDegrees }
}

/** Returns the distance in degrees between two adjacent cells that match a short plus code. */
export function stepDegrees({ missing }: PlusCode): number {
  return firstCellDegrees / digits.length ** (missing / 2 - 1)
}

/** Converts a point to the first eight digits of its plus code. */
function digitsOf({ lat, lng }: Point): string {
  let text = ''
  let cellDegrees = firstCellDegrees * digits.length
  let [north, east] = [lat + 90, lng + 180]
  for (let pair = 0; pair < digitsBeforePlus / 2; pair++) {
    cellDegrees /= digits.length
    const [row, column] = [Math.floor(north / cellDegrees), Math.floor(east / cellDegrees)]
    text += digits.charAt(row) + digits.charAt(column)
    north -= row * cellDegrees
    east -= column * cellDegrees
  }
  return text
}

function digitValue(code: string, index: number): number {
  return digits.indexOf(code.charAt(index))
}
