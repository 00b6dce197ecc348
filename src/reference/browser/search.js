import MiniSearch from '../../../generated/reference/minisearch.js'

/**
 * The search in the browser, loaded on first use. It searches the same documents with the same options as the server.
 */

/**
 * @typedef {{ url: string, title: string, summary: string, kind: string, method: string }} Hit
 */

/** @returns {Promise<(query: string) => Hit[]>} */
export async function openSearch() {
  const response = await fetch('/docs/search.json')
  if (!response.ok) throw new Error(`The request for the search index returned status ${response.status}.`)
  const { options, stopWords, documents } = await response.json()
  const index = new MiniSearch(options)
  index.addAll(documents)
  const boostDocument = (/** @type {any} */ _id, /** @type {string} */ _term, /** @type {any} */ stored) =>
    stored.weight
  return (query) => {
    const words = query.split(/\s+/)
    const subject = words.filter((word) => !stopWords.includes(word.toLowerCase())).join(' ') || query
    const all = index.search(subject, { boostDocument })
    const found = all.length > 0 ? all : index.search(subject, { boostDocument, combineWith: 'OR' })
    return found.map(({ url, title, summary, kind, method }) => ({ url, title, summary, kind, method }))
  }
}
