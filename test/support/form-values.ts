import { unescaped } from './dashboard.ts'

/** Returns the values of the form with this action. Of several values of a field, returns the last one. */
export function formValuesOf(page: string, action: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formFieldsOf(page, action)).map(([name, values]) => [name, values.at(-1) ?? '']),
  )
}

/**
 * Returns the form fields that a browser without JavaScript submits for the form with this action: hidden and visible
 * fields, chosen options and checked boxes. Throws if the page has no such form.
 */
export function formFieldsOf(page: string, action: string): Record<string, string[]> {
  const form = page
    .split('<form ')
    .find((part) => part.includes(`action="${action}"`) && part.includes('method="post"'))
  if (form === undefined) throw new Error(`The page has no form ${action}.`)
  const [content = ''] = form.split('</form>')
  const fields = content.matchAll(/<(input|select|textarea)\b([^>]*)>([^<]*(?:<option[\s\S]*?(?=<\/select>))?)/g)
  const values: Record<string, string[]> = {}
  for (const [, tag = '', attributes = '', inner = ''] of fields) {
    const name = attributeOf(attributes, 'name')
    const isChoice = /type="(radio|checkbox)"/.test(attributes)
    if (name === undefined || (isChoice && !attributes.includes(' checked'))) continue
    values[name] = [...(values[name] ?? []), unescaped(valueIn(tag, attributes, inner))]
  }
  return values
}

function valueIn(tag: string, attributes: string, inner: string): string {
  if (tag === 'input') return attributeOf(attributes, 'value') ?? ''
  if (tag === 'textarea') return inner.replace(/^\n/, '')
  const options = /<option value="([^"]*)"[^>]* selected>/.exec(inner) ?? /<option value="([^"]*)"/.exec(inner)
  return options?.[1] ?? ''
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]
}
