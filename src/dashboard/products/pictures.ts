import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'

type Images = ReplyOf<'getProduct'>['images']

/** Width and height of a picture in pixels: in a list, and on the page of its product. */
const sizes = { list: 40, page: 120 } as const

/**
 * Shows a picture that is stored on a host of the merchant's choice. The browser does not tell this host which page
 * shows the picture. If the picture cannot be loaded, its alternative text is shown.
 */
function picture(image: Pick<Images[number], 'url' | 'alt'>, place: keyof typeof sizes): Markup {
  const size = sizes[place]
  const text = place === 'list' ? '' : (image.alt ?? '')
  return html`<img class="picture" src="${image.url}" alt="${text}" width="${size}" height="${size}" loading="lazy" referrerpolicy="no-referrer">`
}

export function mainPicture([image]: Images): Markup {
  return image === undefined ? html`<span class="picture none"></span>` : picture(image, 'list')
}

/** Shows the picture of an order item as it was when the order was created. */
export function itemPicture(url: string | null): Markup {
  return url === null ? nothing : picture({ url, alt: null }, 'list')
}

export function pictures(images: Images): Markup {
  if (images.length === 0) return nothing
  return html`<div class="pictures">${images.map((image) => picture(image, 'page'))}</div>`
}
