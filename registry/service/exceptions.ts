import { paymentExceptions } from './payment-exceptions.ts'
import { shipmentExceptions } from './shipment-exceptions.ts'

/**
 * The states in which money or goods of a merchant need manual action. The guide “Exceptions” shows this table, and a
 * test produces each state.
 */
export const exceptionStates = { ...paymentExceptions, ...shipmentExceptions }

export type ExceptionStateName = keyof typeof exceptionStates
