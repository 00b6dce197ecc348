/** One form for all spellings: “LEKKI PH. I” and “Lekki Phase One” are both `lekkiphase1`. */
export function keyOf(text: string): string {
  const words = text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’.]/g, '')
    .replace(/(?<=[a-z])(?=\d)/g, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !droppedWords.has(word))
  return words
    .filter((word, index) => index === 0 || !droppedEndings.has(word))
    .map((word, index) => (word === 'i' && index > 0 ? '1' : (numbers[word] ?? word)))
    .join('')
}

/** Words that people add or leave out as they like. */
const droppedWords = new Set(['estate', 'axis', 'lga', 'nigeria'])
/** The same behind a name, where they only say again which state it is. */
const droppedEndings = new Set(['lagos', 'abuja', 'fct', 'state'])
const numbers: Readonly<Record<string, string>> = { one: '1', two: '2', twelve: '12', ii: '2', ph: 'phase' }
