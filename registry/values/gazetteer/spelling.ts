/**
 * Returns the lookup key of an area’s name, the same for all spellings: `lekkiphase1` for “LEKKI PH. I” and “Lekki Phase
 * One”.
 */
export function keyOf(text: string): string {
  const words = wordsOf(text).filter((word) => !droppedWords.has(word))
  return words
    .filter((word, index) => index === 0 || !droppedEndings.has(word))
    .map((word, index) => (word === 'i' && index > 0 ? '1' : (numbers[word] ?? word)))
    .join('')
}

/**
 * Returns the lookup key of a city or state. The key contains all words of the name, so that “Kano Estate” does not match
 * Kano.
 */
export function cityKeyOf(text: string): string {
  return wordsOf(text).join('')
}

/**
 * Returns a text, then its parts, because one field of an address may name several areas: “Chevron, Lekki”,
 * “Lekki/Ajah” or “Wuse & Garki”.
 */
export function partsOf(text: string | null | undefined): readonly string[] {
  return text === null || text === undefined ? [] : [text, ...text.split(separators)]
}

/**
 * The characters and words that separate the names in a text. A hyphen separates names only if it stands between
 * spaces: “Ajeromi-Ifelodun” is one name.
 */
const separators = /[,;(/|&+]|\s(?:[-–—]|and|or)\s/i

/** Returns the words of a text in lower case, without diacritics and punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’.]/g, '')
    .replace(/(?<=[a-z])(?=\d)/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** Words of an area’s name that addresses often leave out. */
const droppedWords = new Set(['estate', 'axis', 'lga', 'nigeria'])
/** Words after an area’s name that addresses often leave out, because they only repeat the state. */
const droppedEndings = new Set(['lagos', 'abuja', 'fct', 'state'])
const numbers: Readonly<Record<string, string>> = { one: '1', two: '2', twelve: '12', ii: '2', ph: 'phase' }
