import MiniSearch from 'minisearch'

/** Loaded when somebody searches. The words and the options are the server's own, so both find the same. */

/**
 * @typedef {{ url: string, title: string, summary: string, kind: string, method: string }} Hit
 */

/** @returns {Promise<(query: string) => Hit[]>} */
export async function openSearch() {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`The index answered ${answer.status}.`)
  const { options, kindWeights, documents } = await answer.json()
  const index = new MiniSearch(options)
  index.addAll(documents)
  const boostDocument = (/** @type {any} */ _id, /** @type {string} */ _term, /** @type {any} */ stored) =>
    kindWeights[stored.kind] ?? 1
  return (query) =>
    index
      .search(query, { boostDocument })
      .map(({ url, title, summary, kind, method }) => ({ url, title, summary, kind, method }))
}
