import type { Route } from '../kit/route.ts'
import {
  createAddressAction,
  editAddressAction,
  editAddressPage,
  newAddressPage,
  removeAddressAction,
  removeAddressPage,
} from './addresses.ts'
import { createCustomerAction, newCustomerPage } from './create.ts'
import { editCustomerAction, editCustomerPage } from './edit.ts'
import { customerList } from './list.ts'
import { anonymiseCustomerAction, anonymiseCustomerPage, deleteCustomerAction, deleteCustomerPage } from './remove.ts'
import { customerPage } from './show.ts'

export const customerRoutes: readonly Route[] = [
  customerList,
  newCustomerPage,
  createCustomerAction,
  customerPage,
  editCustomerPage,
  editCustomerAction,
  newAddressPage,
  createAddressAction,
  editAddressPage,
  editAddressAction,
  removeAddressPage,
  removeAddressAction,
  anonymiseCustomerPage,
  anonymiseCustomerAction,
  deleteCustomerPage,
  deleteCustomerAction,
]
