import { z } from 'zod'
import { onHandMax } from '../../../registry/values/limits.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type Draft, problemsOf } from '../kit/draft.ts'
import { wholeNumber } from '../kit/fields.ts'
import { textArea, textField } from '../kit/form.ts'
import type { FormReader } from './form-reader.ts'

type Product = ReplyOf<'getProduct'>

export function pictureField(draft: Draft): Markup {
  const hint = 'One https:// address per line. A description of the picture may follow after a space.'
  return textArea(draft, { name: 'images', label: 'Pictures', hint })
}

export function descriptionField(draft: Draft): Markup {
  return textArea(draft, { name: 'description', label: 'Description', hint: 'Optional. Buyers see this text.' })
}

export function detailFields(draft: Draft): Markup {
  return html`${textField(draft, { name: 'category', label: 'Category', hint: 'Such as Dresses.' })}
${textField(draft, { name: 'brand', label: 'Brand' })}
${textArea(draft, { name: 'tags', label: 'Tags', hint: 'One tag on each line, such as women.' })}
${textField(draft, { name: 'lowStockThreshold', label: 'Low-stock threshold', hint: 'Available quantity at or below which a variant is low on stock. If the field is empty, the threshold in the settings applies.', inputMode: 'numeric' })}`
}

/**
 * Returns form fields that are folded unless one of them has a value or a problem. With `isShownElsewhere`, another
 * part of the form shows the values, so a value alone does not unfold the fields.
 */
export function folded(
  draft: Draft,
  label: string,
  {
    names,
    fields,
    isShownElsewhere = false,
  }: { readonly names: readonly string[]; readonly fields: Markup; readonly isShownElsewhere?: boolean },
): Markup {
  const hasValue = !isShownElsewhere && names.some((name) => draft.values[name] !== undefined)
  const isOpen = hasValue || names.some((name) => problemsOf(draft, name).length > 0)
  return html`<details class="field"${isOpen ? html` open` : nothing}><summary>${label}</summary>${fields}</details>`
}

export const detailNames = ['category', 'brand', 'tags', 'lowStockThreshold'] as const

const threshold = wholeNumber({ min: 0, max: onHandMax })

/** An empty field is undefined. */
export function readDetails(form: FormReader) {
  const orNone = (name: string) => (form.text(name) === '' ? undefined : form.text(name))
  return {
    title: form.required('title', z.string({ error: 'Fill in this field.' })) ?? '',
    description: form.text('description'),
    category: orNone('category'),
    brand: orNone('brand'),
    tags: form
      .text('tags')
      .split('\n')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    lowStockThreshold: form.optional('lowStockThreshold', threshold),
  }
}

/** One picture per line. A picture that the product already has retains its id. */
export function readImages(form: FormReader, stored: Product['images'] = []) {
  const left = [...stored]
  const lines = form
    .text('images')
    .split('\n')
    .map((text) => text.trim())
  return lines
    .filter((text) => text !== '')
    .map((text) => {
      const [url = ''] = text.split(/\s/, 1)
      const alt = text.slice(url.length).trim()
      const place = left.findIndex((image) => image.url === url)
      const [known] = place === -1 ? [] : left.splice(place, 1)
      return { ...(known === undefined ? {} : { id: known.id }), url, ...(alt === '' ? {} : { alt }) }
    })
}

export function imagesText(images: Product['images']): string {
  return images.map(({ url, alt }) => (alt === null ? url : `${url} ${alt}`)).join('\n')
}

/** For example, the path `images[0].url` of a request body belongs to the form field `images`. */
export function detailField(path: string): string | undefined {
  const [name = ''] = path.split(/[.[]/, 1)
  return ['title', 'description', 'images', ...detailNames].find((field) => field === name)
}
