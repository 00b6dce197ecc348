// DO NOT EDIT. Written by `npm run generate` from openapi.json.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A postal address in Nigeria. */
        Address: {
            /** @description Who receives the parcel. */
            recipientName: string | null;
            /** @description Phone number of the recipient. */
            phone: string | null;
            /**
             * @description House number and street.
             * @example 12 Admiralty Way
             */
            line1: string;
            /** @description Flat, floor or building. */
            line2: string | null;
            /** @description A place nearby that riders know. */
            landmark: string | null;
            /** @description Part of the city, or estate. */
            area: string | null;
            /**
             * @description City or town.
             * @example Lekki
             */
            city: string;
            /**
             * @description One of the 36 states, or FCT.
             * @example Lagos
             * @enum {string}
             */
            state: "Abia" | "Adamawa" | "Akwa Ibom" | "Anambra" | "Bauchi" | "Bayelsa" | "Benue" | "Borno" | "Cross River" | "Delta" | "Ebonyi" | "Edo" | "Ekiti" | "Enugu" | "FCT" | "Gombe" | "Imo" | "Jigawa" | "Kaduna" | "Kano" | "Katsina" | "Kebbi" | "Kogi" | "Kwara" | "Lagos" | "Nasarawa" | "Niger" | "Ogun" | "Ondo" | "Osun" | "Oyo" | "Plateau" | "Rivers" | "Sokoto" | "Taraba" | "Yobe" | "Zamfara";
            /**
             * @description Always NG.
             * @example NG
             * @enum {string}
             */
            country: "NG";
            /** @description Postal code; Nigeria’s have six digits. */
            postalCode: string | null;
            /** @description What the rider should know. */
            instructions: string | null;
            /** @description Degrees north. */
            latitude: number | null;
            /** @description Degrees east. */
            longitude: number | null;
        };
        DiscountAllocation: {
            /**
             * @description The line, or `shipping`.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int64
             * @description What it took off that. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        /**
         * @description How much of the order was handed over or came back.
         * @enum {string}
         */
        FulfillmentStatus: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "partially_returned" | "returned";
        /** @description The variant and its stock. */
        InventoryLowStockData: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            productId: string;
            /**
             * @description Identifier of a product variant.
             * @example var_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            variantId: string;
            /**
             * @description Stock keeping unit.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Product and variant.
             * @example Ankara maxi dress, M / Indigo
             */
            title: string;
            /**
             * Format: int64
             * @description Pieces that can be sold now: on hand less reserved.
             * @example 4
             */
            available: number;
            /**
             * Format: int64
             * @description Pieces in the shop.
             * @example 6
             */
            onHand: number;
            /**
             * Format: int64
             * @description Pieces promised to orders.
             * @example 2
             */
            reserved: number;
            /**
             * Format: int64
             * @description At this or fewer available pieces stock is low.
             * @example 5
             */
            threshold: number;
            /** @description What took the stock. */
            cause: {
                /**
                 * @description What took the stock.
                 * @example order
                 */
                type: string;
                /** @description The order, if one did. */
                orderId: string | null;
            };
            /**
             * Format: date-time
             * @description When it fell.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        InventoryLowStockEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "inventory.low_stock";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["InventoryLowStockData"];
        };
        /** @description An order with its lines and totals. */
        Order: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            number: string;
            status: components["schemas"]["OrderStatus"];
            /**
             * Format: int64
             * @description Total of the order. In kobo.
             * @example 1500000
             */
            totalKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * Format: date-time
             * @description When the order was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: int64
             * @description Counts the changes of the order; compare it to drop stale news.
             * @example 3
             */
            version: number;
            paymentStatus: components["schemas"]["PaymentStatus"];
            fulfillmentStatus: components["schemas"]["FulfillmentStatus"];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** @description The customer as they were when the order was created. */
            customer: {
                /** @description The customer’s record; null once it is deleted. */
                id: string | null;
                /**
                 * @description Name of the customer.
                 * @example Adaeze Okafor
                 */
                name: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 * @example adaeze.okafor@example.com
                 */
                email: string;
                /** @description Phone number of the customer. */
                phone: string | null;
            };
            /** @description The lines, in the order they were sent. */
            items: components["schemas"]["OrderItem"][];
            /**
             * Format: int64
             * @description Sum of the lines before discounts. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * Format: int64
             * @description Sum of the discounts, with what they take off shipping. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * Format: int64
             * @description Price of shipping before discounts. In kobo.
             * @example 250000
             */
            shippingKobo: number;
            /**
             * Format: int64
             * @description VAT contained in or added to the total. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description Whether prices contain the VAT.
             * @example true
             */
            taxInclusive: boolean;
            /**
             * Format: int32
             * @description VAT in basis points; 0 when none is charged.
             * @example 750
             */
            taxRateBps: number;
            /**
             * Format: int64
             * @description Sum of the payments. In kobo.
             * @example 1500000
             */
            paidKobo: number;
            /**
             * Format: int64
             * @description Sum of the refunds that succeeded. In kobo.
             * @example 0
             */
            refundedKobo: number;
            /**
             * Format: int64
             * @description Sum of the refunds under way. In kobo.
             * @example 0
             */
            refundPendingKobo: number;
            /**
             * Format: int64
             * @description What can still be refunded. Disputed money does not count. In kobo.
             * @example 1500000
             */
            refundableKobo: number;
            /**
             * Format: int64
             * @description What is still owed; negative after an overpayment. In kobo.
             * @example 0
             */
            balanceKobo: number;
            /** @description The discounts applied, in the order in which they were taken off. */
            discounts: components["schemas"]["OrderDiscount"][];
            shippingAddress: components["schemas"]["Address"] | null;
            billingAddress: components["schemas"]["Address"] | null;
            /** @description The shipments of the order. */
            shipments: components["schemas"]["OrderShipment"][];
            /** @description A note among staff. */
            note: string | null;
            /** @description What the customer wrote. */
            customerNote: string | null;
            /**
             * @description Free labels.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags: string[];
            /** @description The integrator’s own name for the order. */
            externalReference: string | null;
            /** @description When the order is cancelled unless it is paid; null when it never is. */
            expiresAt: string | null;
            /** @description Why the order was cancelled. */
            cancelReason: ("customer" | "payment_declined" | "fraud" | "inventory" | "staff_error" | "expired" | "other") | null;
            /** @description Why the order was cancelled, in words. */
            cancelNote: string | null;
            source: components["schemas"]["OrderSource"];
            /** @description The states the order can move to now. */
            allowedTransitions: components["schemas"]["OrderStatus"][];
            /** @description When it became `processing`. */
            confirmedAt: string | null;
            /** @description When the payments first covered the total. */
            paidAt: string | null;
            /** @description When it became `shipped`. */
            shippedAt: string | null;
            /** @description When it became `delivered`. */
            deliveredAt: string | null;
            /** @description When it became `cancelled`. */
            cancelledAt: string | null;
            /** @description When it became `returned`. */
            returnedAt: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description The order as it was created. */
        OrderCreatedData: {
            order: components["schemas"]["Order"];
        };
        OrderCreatedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.created";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderCreatedData"];
        };
        OrderDiscount: {
            /**
             * @description Identifier of a discount.
             * @example dsc_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            discountId: string;
            /**
             * @description Its code, in capitals.
             * @example DETTY10
             */
            code: string;
            /**
             * @description What kind of discount it is.
             * @example percentage
             */
            type: string;
            /**
             * Format: int64
             * @description What it took off. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /** @description What it took off each line and shipping: together exactly `amountKobo`. */
            allocations: components["schemas"]["DiscountAllocation"][];
        };
        OrderItem: {
            /**
             * @description Identifier of an order line.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /** @description The product; null once it is deleted. */
            productId: string | null;
            /** @description The variant; null once it is deleted. */
            variantId: string | null;
            /**
             * @description Stock keeping unit when ordered.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Title of the product when ordered.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description The variant when ordered.
             * @example M / Indigo
             */
            variantTitle: string;
            /**
             * @description The options that make the variant.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues: {
                [key: string]: string;
            };
            /** @description Picture of the variant when ordered. */
            imageUrl: string | null;
            /**
             * Format: int64
             * @description Pieces ordered.
             * @example 1
             */
            quantity: number;
            /**
             * Format: int64
             * @description Pieces handed over.
             * @example 0
             */
            fulfilledQuantity: number;
            /**
             * Format: int64
             * @description Pieces that came back.
             * @example 0
             */
            returnedQuantity: number;
            /**
             * Format: int64
             * @description Pieces taken back before they were handed over: they are not to be sent.
             * @example 0
             */
            cancelledQuantity: number;
            /**
             * Format: int64
             * @description Pieces refunded by line.
             * @example 0
             */
            refundedQuantity: number;
            /**
             * Format: int64
             * @description Price of one piece. In kobo.
             * @example 1500000
             */
            unitPriceKobo: number;
            /** @description Price before a sale, in kobo. */
            compareAtPriceKobo: number | null;
            /**
             * Format: int64
             * @description Unit price times quantity. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * Format: int64
             * @description The line’s share of the discounts. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * Format: int32
             * @description VAT in basis points.
             * @example 750
             */
            taxRateBps: number;
            /**
             * Format: int64
             * @description VAT of the line. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * Format: int64
             * @description What the line costs. In kobo.
             * @example 1500000
             */
            totalKobo: number;
        };
        /** @description The refund that succeeded. */
        OrderRefundedData: {
            refund: components["schemas"]["Refund"];
            /**
             * @description Whether all that was paid has gone back.
             * @example false
             */
            fullyRefunded: boolean;
        };
        OrderRefundedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.refunded";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderRefundedData"];
        };
        OrderShipment: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Where the shipment is.
             * @example picked_up
             */
            status: string;
            /** @description Order items that go with it. Empty without an order, and for parcels that carry none of its items. */
            items: components["schemas"]["ShipmentItem"][];
            /** @description Page on which it can be followed. */
            trackingUrl: string | null;
        };
        /**
         * @description Where the order was taken.
         * @enum {string}
         */
        OrderSource: "api" | "storefront" | "dashboard" | "pos" | "whatsapp" | "instagram" | "other";
        /**
         * @description Where the order is in its life. More values may be added.
         * @enum {string}
         */
        OrderStatus: "pending" | "on_hold" | "processing" | "shipped" | "delivered" | "returned" | "cancelled";
        /** @description The change. */
        OrderStatusChangedData: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Human-readable order number. The last character checks the others.
             * @example ORD-7K2M9QX4
             */
            number: string;
            from: components["schemas"]["OrderStatus"];
            to: components["schemas"]["OrderStatus"];
            /** @description Why, where there is something to say. */
            reason: string | null;
            /** @description Who made the change. */
            actor: {
                /**
                 * @description Who made the change.
                 * @example token
                 */
                type: string;
                /** @description Which of them. */
                id: string | null;
            };
            /**
             * Format: int64
             * @description Counts the changes of the order; compare it to drop stale news.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the status changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        OrderStatusChangedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.status_changed";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderStatusChangedData"];
        };
        /**
         * @description How the money comes.
         * @enum {string}
         */
        PaymentMethod: "card" | "bank_transfer" | "pay_on_delivery" | "ussd" | "cash" | "other";
        /**
         * @description What the recorded payments and refunds add up to.
         * @enum {string}
         */
        PaymentStatus: "unpaid" | "partially_paid" | "paid" | "partially_refunded" | "refunded";
        /** @description Money that goes back to a customer. */
        Refund: {
            /**
             * @description Identifier of a refund.
             * @example rfd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Number of the order.
             * @example ORD-7K2M9QX4
             */
            orderNumber: string;
            /**
             * Format: int64
             * @description What goes back to the customer. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * Format: int64
             * @description The VAT contained in it. In kobo.
             * @example 0
             */
            taxKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            /**
             * @description Free reason code, stored as given. Suggested: damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other.
             * @example damaged
             */
            reason: string;
            /** @description A note among staff. */
            note: string | null;
            status: components["schemas"]["RefundStatus"];
            /** @description The order lines it is for; empty for a plain amount. */
            items: components["schemas"]["RefundItem"][];
            destination: components["schemas"]["RefundDestination"];
            /** @description The account it goes to, with `bank_account`. */
            account: components["schemas"]["RefundAccount"] | null;
            /**
             * @description Who pays it back; `manual` when the merchant does so outside this service.
             * @example manual
             */
            provider: string;
            /** @description The provider’s name for it. */
            providerReference: string | null;
            /** @description Why it failed, or why the account was of no use. */
            failureCode: string | null;
            /** @description The same in words. */
            failureMessage: string | null;
            /**
             * @description Up to 50 keys of 1 to 40 characters, with values of up to 500.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Who made it. */
            createdBy: {
                /**
                 * @description What made it.
                 * @example token
                 */
                type: string;
                /** @description Which of them. */
                id: string | null;
            };
            /**
             * Format: date-time
             * @description When it was accepted.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /** @description When the provider expects the money to arrive. */
            expectedAt: string | null;
            /** @description When the money was paid back. */
            succeededAt: string | null;
            /** @description When it failed. */
            failedAt: string | null;
            /** @description The order’s money as of the last change of this refund. */
            order: {
                /**
                 * Format: int64
                 * @description Sum of the order’s refunds that succeeded. In kobo.
                 * @example 1500000
                 */
                refundedKobo: number;
                /**
                 * Format: int64
                 * @description What can still be refunded. Disputed money does not count. In kobo.
                 * @example 0
                 */
                refundableKobo: number;
                paymentStatus: components["schemas"]["PaymentStatus"];
            };
        };
        /** @description A bank account, its number masked. */
        RefundAccount: {
            /**
             * @description Its last four digits.
             * @example ******6789
             */
            accountNumber: string;
            /**
             * @description Interbank code of the bank.
             * @example 058
             */
            bankCode: string;
            /**
             * @description Whose account it is.
             * @example Adaeze Okafor
             */
            accountName: string;
        };
        /**
         * @description Where the money goes: back the way it came, into `account`, or `manual`ly as merchant and customer agree. More values may be added.
         * @enum {string}
         */
        RefundDestination: "original_payment" | "bank_account" | "manual";
        RefundItem: {
            /**
             * @description Identifier of an order line.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int64
             * @description Pieces refunded.
             * @example 1
             */
            quantity: number;
            /**
             * @description Whether they go back on the shelf.
             * @example false
             */
            restock: boolean;
            /**
             * Format: int64
             * @description The line’s share of the refund. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        /**
         * @description Where the refund is. More values may be added.
         * @enum {string}
         */
        RefundStatus: "pending" | "processing" | "needs_attention" | "succeeded" | "failed" | "cancelled";
        /** @description Units of one order item that go with the shipment. */
        ShipmentItem: {
            /**
             * @description The order item.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int32
             * @description Units of the item.
             * @example 1
             */
            quantity: number;
        };
        /**
         * @description Where the shipment is. More values may be added.
         * @enum {string}
         */
        ShipmentStatus: "scheduled" | "dispatching" | "awaiting_courier" | "courier_assigned" | "at_pickup" | "picked_up" | "in_transit" | "at_dropoff" | "delivered" | "delivery_failed" | "returning" | "returned" | "cancelling" | "cancelled" | "failed" | "lost";
        /** @description The change. */
        ShipmentStatusChangedData: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            shipmentId: string;
            /**
             * @description Your own name for the shipment, unique for ever. The same request with it is the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /** @description The order that is sent. */
            orderId: string | null;
            /** @description Order items that go with it. Empty without an order, and for parcels that carry none of its items. */
            items: components["schemas"]["ShipmentItem"][];
            from: components["schemas"]["ShipmentStatus"];
            to: components["schemas"]["ShipmentStatus"];
            /** @description Why it is there, where there is something to say. */
            statusReason: {
                /**
                 * @description Why, as a code.
                 * @example no_carrier_available
                 */
                code: string;
                /** @description The same in words. */
                message: string;
            } | null;
            /** @description Who took it; null while nobody has. */
            carrier: {
                /**
                 * @description Code of the carrier.
                 * @example simulator-swift
                 */
                code: string;
                /**
                 * @description Its name.
                 * @example Simulator Swift
                 */
                name: string;
            } | null;
            /** @description The asking of a carrier it comes from. */
            attemptNumber: number | null;
            /** @description The carrier’s own page about it. */
            trackingUrl: string | null;
            /**
             * Format: int64
             * @description Counts its changes; it is its ETag, too.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When it happened, by the clock of whoever told.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ShipmentStatusChangedEvent: {
            /**
             * @description The same on every attempt and every endpoint: deduplicate by it.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description The kind. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "shipment.status_changed";
            /**
             * Format: date-time
             * @description When the change was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Which side of the merchant it belongs to.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Present on sample deliveries only.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ShipmentStatusChangedData"];
        };
        /** @description An event, as it is delivered. Its `event` says which kind it is. */
        WebhookEvent: components["schemas"]["OrderCreatedEvent"] | components["schemas"]["OrderStatusChangedEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["InventoryLowStockEvent"] | components["schemas"]["ShipmentStatusChangedEvent"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Address = components['schemas']['Address'];
export type DiscountAllocation = components['schemas']['DiscountAllocation'];
export type FulfillmentStatus = components['schemas']['FulfillmentStatus'];
export type InventoryLowStockData = components['schemas']['InventoryLowStockData'];
export type InventoryLowStockEvent = components['schemas']['InventoryLowStockEvent'];
export type Order = components['schemas']['Order'];
export type OrderCreatedData = components['schemas']['OrderCreatedData'];
export type OrderCreatedEvent = components['schemas']['OrderCreatedEvent'];
export type OrderDiscount = components['schemas']['OrderDiscount'];
export type OrderItem = components['schemas']['OrderItem'];
export type OrderRefundedData = components['schemas']['OrderRefundedData'];
export type OrderRefundedEvent = components['schemas']['OrderRefundedEvent'];
export type OrderShipment = components['schemas']['OrderShipment'];
export type OrderSource = components['schemas']['OrderSource'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderStatusChangedData = components['schemas']['OrderStatusChangedData'];
export type OrderStatusChangedEvent = components['schemas']['OrderStatusChangedEvent'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type Refund = components['schemas']['Refund'];
export type RefundAccount = components['schemas']['RefundAccount'];
export type RefundDestination = components['schemas']['RefundDestination'];
export type RefundItem = components['schemas']['RefundItem'];
export type RefundStatus = components['schemas']['RefundStatus'];
export type ShipmentItem = components['schemas']['ShipmentItem'];
export type ShipmentStatus = components['schemas']['ShipmentStatus'];
export type ShipmentStatusChangedData = components['schemas']['ShipmentStatusChangedData'];
export type ShipmentStatusChangedEvent = components['schemas']['ShipmentStatusChangedEvent'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
/** Each kind of event with its envelope. */
export interface WebhookEventByKind {
    "order.created": OrderCreatedEvent;
    "order.status_changed": OrderStatusChangedEvent;
    "order.refunded": OrderRefundedEvent;
    "inventory.low_stock": InventoryLowStockEvent;
    "shipment.status_changed": ShipmentStatusChangedEvent;
}
export type WebhookEventKind = keyof WebhookEventByKind;
