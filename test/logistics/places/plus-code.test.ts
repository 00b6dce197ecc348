import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellOf, nearestCell, parsePlusCode, stepDegrees } from '../../../src/logistics/places/plus-code.ts'

const digits = '23456789CFGHJMPQRVWX'

/**
 * Encodes plus codes without using the code of the decoder: converts the point to integer multiples of the finest cell
 * and computes the digits from the last to the first.
 */
function encode(lat: number, lng: number, length: number): string {
  let [rows, columns] = [Math.floor((lat + 90) * 8000 * 5 ** 5), Math.floor((lng + 180) * 8000 * 4 ** 5)]
  let code = ''
  for (let index = 0; index < 5; index++) {
    code = digits.charAt((rows % 5) * 4 + (columns % 4)) + code
    rows = Math.floor(rows / 5)
    columns = Math.floor(columns / 4)
  }
  for (let index = 0; index < 5; index++) {
    code = digits.charAt(rows % 20) + digits.charAt(columns % 20) + code
    rows = Math.floor(rows / 20)
    columns = Math.floor(columns / 20)
  }
  const kept = code.slice(0, length).padEnd(8, '0')
  return `${kept.slice(0, 8)}+${kept.slice(8)}`
}

const lat = fc.double({ min: 4, max: 14.5, noNaN: true })
const lng = fc.double({ min: 2.5, max: 15, noNaN: true })
const length = fc.constantFrom(2, 4, 6, 8, 10, 11, 12, 13, 14, 15)

function cell(text: string) {
  const code = parsePlusCode(text)
  if (code === undefined) throw new Error(`${text} is not a plus code.`)
  return cellOf(code.digits)
}

describe('a full plus code', () => {
  test('a full plus code decodes to the cell that contains the encoded point', () => {
    fc.assert(
      fc.property(lat, lng, length, (north, east, digitCount) => {
        const { centre, heightDegrees, widthDegrees } = cell(encode(north, east, digitCount))
        expect(Math.abs(centre.lat - north)).toBeLessThanOrEqual(heightDegrees / 2 + 1e-9)
        expect(Math.abs(centre.lng - east)).toBeLessThanOrEqual(widthDegrees / 2 + 1e-9)
      }),
      { numRuns: 1000 },
    )
  })

  test('a full plus code is read in upper and lower case, with surrounding spaces and with a following town name', () => {
    const code = parsePlusCode('6FR5CFWC+XV')
    expect(code).toEqual({ digits: '6FR5CFWCXV', missing: 0 })
    for (const text of ['6fr5cfwc+xv', ' 6FR5CFWC+XV ', '6FR5CFWC+XV Lagos']) expect(parsePlusCode(text)).toEqual(code)
  })

  test('the more digits a full plus code has, the smaller is its cell: ten digits denote a cell of 1/8000 of a degree', () => {
    expect(cell('6FR5CFWC+XV').heightDegrees).toBeCloseTo(0.000125, 12)
    expect(cell('6FR5CFWC+').heightDegrees).toBeCloseTo(0.0025, 12)
    expect(cell('6FR50000+').heightDegrees).toBeCloseTo(1, 12)
    const { heightDegrees, widthDegrees } = cell('6FR5CFWC+XV3')
    expect([heightDegrees, widthDegrees]).toEqual([expect.closeTo(0.000025, 12), expect.closeTo(0.00003125, 12)])
  })

  test('a full plus code ignores digits after the fifteenth', () => {
    expect(cell('6FR5CFWC+XV34567CCC')).toEqual(cell('6FR5CFWC+XV34567'))
  })
})

describe('an invalid plus code', () => {
  test.for<[string, string]>([
    ['nothing', ''],
    ['only a plus sign', '+'],
    ['no plus sign', '6FR5CFWCXV'],
    ['two plus signs', '6FR5CFWC+XV+'],
    ['a plus sign too late', '6FR5CFWCX+V'],
    ['a plus sign after an odd number of digits', '6FR5CFW+XV'],
    ['one digit after the plus sign', '6FR5CFWC+X'],
    ['letters that are not digits of the code', '6FR5CFWA+XV'],
    ['a digit of another script', '6FR5CFW५+XV'],
    ['digits after zeros', '6FR5CF00+XV'],
    ['an odd number of zeros', '6FR5CFW0+'],
    ['zeros in the middle', '6F005CFW+'],
    ['only zeros', '00000000+'],
    ['a short code with zeros', 'CF00+'],
    ['a latitude beyond the pole', 'F2222222+22'],
    ['a longitude beyond the date line', '2W222222+22'],
    ['a letter after trailing text', '6FR5CFWC+XV34567CCA'],
    ['an address', '12 Admiralty Way'],
  ])('parsePlusCode returns undefined for an invalid code: %s', ([, text]) => {
    expect(parsePlusCode(text)).toBeUndefined()
  })

  test('parsing a plus code never throws, for any text', () => {
    const near = fc.string({ unit: fc.constantFrom(...digits, '0', '+', ' ', 'a', 'é'), maxLength: 20 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const code = parsePlusCode(text)
        if (code !== undefined) expect([...code.digits].every((digit) => digits.includes(digit))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a short plus code', () => {
  const missing = fc.constantFrom(2, 4, 6, 8)

  test('a short plus code is completed correctly from any reference point that is less than half a cell away', () => {
    const part = fc.double({ min: -0.49, max: 0.49, noNaN: true })
    fc.assert(
      fc.property(lat, lng, missing, part, part, (north, east, lost, up, right) => {
        const full = encode(north, east, 10)
        const short = parsePlusCode(full.slice(lost))
        if (short === undefined) throw new Error(`${full.slice(lost)} is not a plus code.`)
        expect(short.missing).toBe(lost)
        const { centre } = cell(full)
        const step = stepDegrees(short)
        // Latitudes beyond the poles do not exist, so the point is moved to latitude 89°.
        const near = { lat: Math.min(89, centre.lat + up * step), lng: centre.lng + right * step }
        const found = nearestCell(short, near).centre
        expect(found.lat).toBeCloseTo(centre.lat, 9)
        expect(found.lng).toBeCloseTo(centre.lng, 9)
      }),
      { numRuns: 1000 },
    )
  })
})
