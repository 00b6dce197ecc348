import { z } from 'zod'
import type { AvoidedTerm } from './glossary.ts'
import type { Text } from './texts.ts'

const exceptions = z.array(
  z.strictObject({
    term: z.string(),
    /** A phrase that contains the avoided term and in which the term is ordinary English or belongs to a library. */
    phrase: z.string().min(3),
    /**
     * The only file or folder in which the phrase is accepted. If undefined, the phrase is accepted in the whole
     * project.
     */
    path: z.string().optional(),
    reason: z.string().min(20),
  }),
)

export type Exception = z.infer<typeof exceptions>[number]

export function parseExceptions(json: string): Exception[] {
  return exceptions.parse(JSON.parse(json))
}

/**
 * Returns the avoided terms in the texts, the exceptions that no text needs, and the exceptions that the last release
 * did not have.
 */
export function vocabularyFaults(
  texts: readonly Text[],
  terms: readonly AvoidedTerm[],
  { listed, released }: { readonly listed: readonly Exception[]; readonly released: readonly Exception[] },
): string[] {
  const needed = new Set<Exception>()
  const faults: string[] = []
  // One search for all terms is faster than a search for each term, and few texts contain any.
  const anyTerm = new RegExp(terms.map(({ pattern }) => pattern.source).join('|'))
  for (const { place, kind, words } of texts) {
    if (!anyTerm.test(words)) continue
    for (const { term, use, pattern, only } of terms) {
      if (only !== undefined && only !== `${kind}s`) continue
      for (const match of words.matchAll(new RegExp(pattern, 'g'))) {
        const exception = listed.find(
          (each) => each.term === term && place.startsWith(each.path ?? '') && covers(each.phrase, words, match),
        )
        if (exception !== undefined) needed.add(exception)
        else faults.push(`${place}: say ${use} instead of "${match[0].trim()}": ${excerpt(words, match.index)}`)
      }
    }
  }
  const isReleased = ({ term, phrase, path }: Exception) => {
    return released.some((before) => before.term === term && before.phrase === phrase && before.path === path)
  }
  return [
    ...faults,
    ...listed
      .filter((exception) => !needed.has(exception))
      .map(({ term, phrase }) => `No text needs the exception "${phrase}" of "${term}": remove it.`),
    ...listed
      .filter((exception) => !isReleased(exception))
      .map(
        ({ term, phrase }) =>
          `The exception "${phrase}" of "${term}" is new, but the list of exceptions may only shrink.`,
      ),
  ]
}

/** Whether the match of an avoided term is inside an occurrence of the phrase. */
function covers(phrase: string, words: string, match: RegExpExecArray): boolean {
  const start = match.index + (match[0].length - match[0].trimStart().length)
  const end = match.index + match[0].trimEnd().length
  for (let at = words.indexOf(phrase); at >= 0; at = words.indexOf(phrase, at + 1)) {
    if (at <= start && end <= at + phrase.length) return true
  }
  return false
}

/** Number of characters to show before and after an avoided term, so that a reader can find it in the text. */
const excerptMargin = 40

function excerpt(words: string, at: number): string {
  return words.slice(Math.max(0, at - excerptMargin), at + excerptMargin)
}
