import { markdownUrlOf, type Reference } from './pages.ts'

/** The reference for programs that read: every page's Markdown with what it holds, by llmstxt.org's shape. */
export function llmsText({ sections }: Reference): string {
  const lists = sections.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${markdownUrlOf(page.path)}): ${page.summary}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const intro = [
    '# Commerce Service',
    '',
    '> A JSON-over-HTTP API for merchants: orders, products, customers, refunds, discounts, logistics and signed webhooks.',
    '> Money is integer kobo. The OpenAPI 3.1 document is at /api/v1/openapi.json.',
    '',
  ]
  return `${intro.join('\n')}\n${lists.join('\n')}`
}
