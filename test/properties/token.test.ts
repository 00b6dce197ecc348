import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedToken, newToken } from '../../src/access/token-format.ts'

const token = fc.constantFrom('live', 'test').map((mode) => newToken(mode === 'live' ? 'live' : 'test'))

test('generated tokens are well-formed and distinct', () => {
  const made = Array.from({ length: 2000 }, (_, index) => newToken(index % 2 === 0 ? 'live' : 'test'))
  expect(made.filter((text) => !isWellFormedToken(text))).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test('the checksum of a token detects any single changed character', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. '
  const text = newToken('live')
  for (let place = 0; place < text.length; place++) {
    for (const letter of letters) {
      if (letter === text[place]) continue
      const changed = text.slice(0, place) + letter + text.slice(place + 1)
      expect(isWellFormedToken(changed), changed).toBe(false)
    }
  }
})

test('the checksum of a token detects two swapped characters', () => {
  fc.assert(
    fc.property(token, fc.nat({ max: 45 }), (text, place) => {
      const changed = text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2)
      fc.pre(changed !== text)
      expect(isWellFormedToken(changed)).toBe(false)
    }),
  )
})

test('the checksum of a token detects an added or a removed character', () => {
  fc.assert(
    fc.property(token, fc.nat({ max: 46 }), fc.constantFrom('0', 'z', '_', ' ', '\n'), (text, place, letter) => {
      expect(isWellFormedToken(text.slice(0, place) + text.slice(place + 1))).toBe(false)
      expect(isWellFormedToken(text.slice(0, place) + letter + text.slice(place))).toBe(false)
    }),
  )
})

test('any text that is not a generated token is rejected as a token', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(isWellFormedToken(text)).toBe(false)
    }),
  )
})
