import type { Route } from '../kit/route.ts'
import { addVariantAction, addVariantPage } from './add-variant.ts'
import { editProductAction, editProductPage } from './edit.ts'
import { editVariantAction, editVariantPage } from './edit-variant.ts'
import { activateAction, archiveAction, deleteProductAction, deleteVariantAction } from './final-changes.ts'
import { productList } from './list.ts'
import { createProductAction, newProductPage } from './new.ts'
import { saveGridAction } from './save-grid.ts'
import { productPage } from './show.ts'

/** Paths with the word `new` are listed before paths with an id in the same place, because the first match is used. */
export const productRoutes: readonly Route[] = [
  productList,
  newProductPage,
  createProductAction,
  productPage,
  saveGridAction,
  editProductPage,
  editProductAction,
  activateAction,
  archiveAction,
  deleteProductAction,
  addVariantPage,
  addVariantAction,
  editVariantPage,
  editVariantAction,
  deleteVariantAction,
]
