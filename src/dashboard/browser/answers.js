/**
 * Lets Back and Forward show the answer to a form, such as a question or a form with problems. Browsers store such an
 * answer only if it was received completely, and delete it at the sign-out. Without it, Chromium shows an error page.
 *
 * This script runs before the content of a page is shown. It replaces the state of the history entry, and browsers then
 * request the entry with GET, like a link. The answer itself is stored in the state of the entry.
 */

history.replaceState(history.state, '')

// The event occurs when the document is complete, before the other script changes it.
document.addEventListener('readystatechange', showAnswer, { once: true })

/**
 * Reports whether the history entry was opened again, by Back, Forward or a reload. For a link to the same page, browsers
 * also use the same entry.
 */
function isOpenedAgain() {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== 'navigate'
}

/**
 * Stores the answer to a form, or shows the stored answer of the history entry in place of the page. Only pages of the
 * session that stored a state use it, so that the next person in the same browser sees nothing of it.
 */
function showAnswer() {
  const main = document.querySelector('main')
  const session = main?.dataset.session
  const state = isOpenedAgain() && history.state?.session === session ? { ...history.state } : { session }
  if (main?.hasAttribute('data-answer')) state.answer = { title: document.title, markup: main.outerHTML }
  else if (main !== null && state.answer !== undefined) {
    document.title = state.answer.title
    main.outerHTML = state.answer.markup
  }
  history.replaceState(state, '')
}

// A browser may show a page from its memory without a request. The page is requested again, because the member may have
// signed out.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
