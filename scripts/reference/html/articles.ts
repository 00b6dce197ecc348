import { parseReference } from '../../../src/reference/pages.ts'
import { articleOf } from './article.ts'
import { openHighlight } from './highlight.ts'
import { renderMarkdown } from './markdown.ts'

/**
 * Returns the article of each page as HTML, by its path. The service adds the frame of the page: the navigation and the
 * search field.
 */
export async function articlesOf(
  index: string,
  markdown: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const reference = parseReference(index)
  const highlight = await openHighlight()
  return new Map(
    reference.pages.map((page) => {
      const article = renderMarkdown(markdown.get(page.path) ?? '', { reference, highlight, page })
      return [page.path, String(articleOf(reference, page, article))]
    }),
  )
}
