// DO NOT EDIT. Written by `npm run generate` from openapi.json.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A postal address in Nigeria. */
        Address: {
            /** @description Name of the recipient. */
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
            /** @description Landmark near the address. */
            landmark: string | null;
            /** @description Neighbourhood or estate. */
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
            /** @description Postal code. Nigerian postal codes have six digits. */
            postalCode: string | null;
            /** @description Delivery instructions for the rider. */
            instructions: string | null;
            /** @description Latitude in degrees north. */
            latitude: number | null;
            /** @description Longitude in degrees east. */
            longitude: number | null;
        };
        /** @description Data of the event, such as the changed record. */
        CustomerUpdatedData: {
            /**
             * @description Identifier of a customer.
             * @example cus_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            customerId: string;
            /**
             * @description Names of the changed fields. `status` means that the customer was anonymised, and `deleted` that the customer was deleted.
             * @example [
             *       "email",
             *       "phone"
             *     ]
             */
            changes: string[];
            /**
             * Format: int64
             * @description Version of the customer, incremented with each change of the customer or an address.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the record of the customer changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        CustomerUpdatedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "customer.updated";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["CustomerUpdatedData"];
        };
        DiscountAllocation: {
            /**
             * @description Identifier of the discounted order item, or `shipping`.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int64
             * @description Part of the discount that applies to the item or to shipping. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        /**
         * @description Fulfilment status of the order, derived from its fulfilled and returned units. An order with the status `returned` has the value `returned`, even if some of its units were lost or refunded.
         * @enum {string}
         */
        FulfillmentStatus: "unfulfilled" | "partially_fulfilled" | "fulfilled" | "partially_returned" | "returned";
        /** @description Data of the event, such as the changed record. */
        InventoryBackInStockData: {
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
             * @description Titles of the product and the variant.
             * @example Ankara maxi dress, M / Indigo
             */
            title: string;
            /**
             * Format: int64
             * @description Available quantity of the variant: on-hand quantity minus reserved quantity.
             * @example 4
             */
            available: number;
            /**
             * Format: int64
             * @description On-hand quantity.
             * @example 6
             */
            onHand: number;
            /**
             * Format: int64
             * @description Number of units of the variant that orders reserve.
             * @example 2
             */
            reserved: number;
            /** @description Cause of the change in stock. */
            cause: {
                /**
                 * @description Type of the cause of the stock change.
                 * @example order
                 */
                type: string;
                /** @description Identifier of the order that changed the stock. Null if the cause is not an order. */
                orderId: string | null;
            };
            /**
             * Format: date-time
             * @description When the stock changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        InventoryBackInStockEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "inventory.back_in_stock";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["InventoryBackInStockData"];
        };
        /** @description Data of the event, such as the changed record. */
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
             * @description Titles of the product and the variant.
             * @example Ankara maxi dress, M / Indigo
             */
            title: string;
            /**
             * Format: int64
             * @description Available quantity of the variant: on-hand quantity minus reserved quantity.
             * @example 4
             */
            available: number;
            /**
             * Format: int64
             * @description On-hand quantity.
             * @example 6
             */
            onHand: number;
            /**
             * Format: int64
             * @description Number of units of the variant that orders reserve.
             * @example 2
             */
            reserved: number;
            /**
             * Format: int64
             * @description Low-stock threshold of the variant.
             * @example 5
             */
            threshold: number;
            /** @description Cause of the change in stock. */
            cause: {
                /**
                 * @description Type of the cause of the stock change.
                 * @example order
                 */
                type: string;
                /** @description Identifier of the order that changed the stock. Null if the cause is not an order. */
                orderId: string | null;
            };
            /**
             * Format: date-time
             * @description When the stock changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        InventoryLowStockEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "inventory.low_stock";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["InventoryLowStockData"];
        };
        /** @description Order of a customer, with its items and totals. */
        Order: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Human-readable number of the order. Its last character is a check character.
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
             * @description Version of the order, incremented with each change. Compare the versions in events to ignore events that arrive out of order.
             * @example 3
             */
            version: number;
            paymentStatus: components["schemas"]["PaymentStatus"];
            fulfillmentStatus: components["schemas"]["FulfillmentStatus"];
            paymentMethod: components["schemas"]["PaymentMethod"];
            /** @description Number of the receipt of the order, assigned when the payments first cover the total; null until then. The receipt numbers of a merchant start at 1 and have no gaps. A later refund, void or edit does not change the number. */
            receiptNumber: number | null;
            /** @description Customer data at the time when the order was created. */
            customer: {
                /** @description Identifier of the customer. Null if the customer was deleted. */
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
            /** @description Items of the order, in the sequence of the request. */
            items: components["schemas"]["OrderItem"][];
            /**
             * Format: int64
             * @description Sum of the item prices before discounts. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * Format: int64
             * @description Sum of all discounts of the order, including those on shipping. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * Format: int64
             * @description Shipping price before discounts. In kobo.
             * @example 250000
             */
            shippingKobo: number;
            /**
             * Format: int64
             * @description VAT on the order, which is included in the prices or added to them. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * @description Whether prices include VAT.
             * @example true
             */
            taxInclusive: boolean;
            /**
             * Format: int32
             * @description VAT rate in basis points; 0 without VAT.
             * @example 750
             */
            taxRateBps: number;
            /**
             * Format: int64
             * @description Sum of the payments for the order. In kobo.
             * @example 1500000
             */
            paidKobo: number;
            /**
             * Format: int64
             * @description Sum of the successful refunds of the order. In kobo.
             * @example 0
             */
            refundedKobo: number;
            /**
             * Format: int64
             * @description Sum of the refunds in progress for the order. In kobo.
             * @example 0
             */
            refundPendingKobo: number;
            /**
             * Format: int64
             * @description Amount of the order that can still be refunded, excluding disputed payments. In kobo.
             * @example 1500000
             */
            refundableKobo: number;
            /**
             * Format: int64
             * @description Amount that is still due for the order. Negative after an overpayment. In kobo.
             * @example 0
             */
            balanceKobo: number;
            /** @description Applied discounts, in the sequence in which they were applied. */
            discounts: components["schemas"]["OrderDiscount"][];
            shippingAddress: components["schemas"]["Address"] | null;
            billingAddress: components["schemas"]["Address"] | null;
            /** @description Shipments of the order. */
            shipments: components["schemas"]["OrderShipment"][];
            /** @description Internal note about the order. Null without a note. */
            note: string | null;
            /** @description Note from the customer. Null without a note. */
            customerNote: string | null;
            /**
             * @description Free-form tags.
             * @example [
             *       "wholesale"
             *     ]
             */
            tags: string[];
            /** @description Your own reference for the order. Null without a reference. */
            externalReference: string | null;
            /** @description Identifier of the return whose units the order replaces. Null for other orders. */
            exchangeOfReturnId: string | null;
            /** @description Time by which the order must be paid. At this time, an unpaid order is cancelled. An order that is paid only in part is not cancelled, but the merchant is notified. Null if the order does not expire. */
            expiresAt: string | null;
            /** @description Reason for the cancellation of the order. Null unless the order is cancelled. */
            cancelReason: ("customer" | "payment_declined" | "fraud" | "inventory" | "staff_error" | "expired" | "other") | null;
            /** @description Note about the cancellation of the order. Null without a note. */
            cancelNote: string | null;
            source: components["schemas"]["OrderSource"];
            /** @description Statuses to which the order can change from its current status. */
            allowedTransitions: components["schemas"]["OrderStatus"][];
            /** @description When the order became `processing`. Null until then. */
            confirmedAt: string | null;
            /** @description When the payments first covered the total of the order. Null until then. */
            paidAt: string | null;
            /** @description When the order became `shipped`. Null until then. */
            shippedAt: string | null;
            /** @description When the order became `delivered`. Null until then. */
            deliveredAt: string | null;
            /** @description When the order became `cancelled`. Null until then. */
            cancelledAt: string | null;
            /** @description When the order became `returned`. Null until then. */
            returnedAt: string | null;
            /**
             * Format: date-time
             * @description When the order last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description Free key-value pairs. At most 50 keys of 1 to 40 characters, with values of up to 500 characters.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description Data of the event, such as the changed record. */
        OrderCreatedData: {
            order: components["schemas"]["Order"];
        };
        OrderCreatedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.created";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
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
             * @description Discount code, in upper case.
             * @example DETTY10
             */
            code: string;
            /**
             * @description Type of the discount.
             * @example percentage
             */
            type: string;
            /**
             * Format: int64
             * @description Amount of the discount. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /** @description Allocation of the discount to items and shipping. The sum of the allocated amounts is `amountKobo`. */
            allocations: components["schemas"]["DiscountAllocation"][];
        };
        /** @description Data of the event, such as the changed record. */
        OrderEditedData: {
            order: components["schemas"]["Order"];
            /**
             * Format: int64
             * @description Total of the order before the change. In kobo.
             * @example 1750000
             */
            previousTotalKobo: number;
        };
        OrderEditedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.edited";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderEditedData"];
        };
        OrderItem: {
            /**
             * @description Identifier of an order item.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /** @description Identifier of the product. Null after the product was deleted. */
            productId: string | null;
            /** @description Identifier of the variant. Null after the variant was deleted. */
            variantId: string | null;
            /**
             * @description Stock keeping unit (SKU) of the variant at the time when the order was created.
             * @example ANK-MAX-M-IND
             */
            sku: string;
            /**
             * @description Title of the product at the time when the order was created.
             * @example Ankara maxi dress
             */
            title: string;
            /**
             * @description Title of the variant at the time when the order was created.
             * @example M / Indigo
             */
            variantTitle: string;
            /**
             * @description Option values of the variant.
             * @example {
             *       "size": "M",
             *       "colour": "Indigo"
             *     }
             */
            optionValues: {
                [key: string]: string;
            };
            /** @description URL of the variant’s image at the time when the order was created. Null without an image. */
            imageUrl: string | null;
            /**
             * Format: int64
             * @description Ordered units.
             * @example 1
             */
            quantity: number;
            /**
             * Format: int64
             * @description Number of units of the item that were handed over.
             * @example 0
             */
            fulfilledQuantity: number;
            /**
             * Format: int64
             * @description Units returned.
             * @example 0
             */
            returnedQuantity: number;
            /**
             * Format: int64
             * @description Number of units of the item that were cancelled before they were handed over. Cancelled units are not shipped.
             * @example 0
             */
            cancelledQuantity: number;
            /**
             * Format: int64
             * @description Number of units of the item in refunds that contain items. A refund that has only an amount contains no units.
             * @example 0
             */
            refundedQuantity: number;
            /**
             * Format: int64
             * @description Price of one unit. In kobo.
             * @example 1500000
             */
            unitPriceKobo: number;
            /** @description Regular price of one unit, in kobo, if the unit is sold at a lower price. Null otherwise. */
            compareAtPriceKobo: number | null;
            /**
             * Format: int64
             * @description Unit price multiplied by the quantity of the item. In kobo.
             * @example 1500000
             */
            subtotalKobo: number;
            /**
             * Format: int64
             * @description Part of the discounts of the order that applies to the item. In kobo.
             * @example 0
             */
            discountKobo: number;
            /**
             * Format: int32
             * @description VAT rate in basis points.
             * @example 750
             */
            taxRateBps: number;
            /**
             * Format: int64
             * @description VAT on all units of the item. In kobo.
             * @example 104651
             */
            taxKobo: number;
            /**
             * Format: int64
             * @description Total of the item, after discounts and with VAT. In kobo.
             * @example 1500000
             */
            totalKobo: number;
        };
        /** @description Data of the event, such as the changed record. */
        OrderRefundedData: {
            refund: components["schemas"]["Refund"];
            /**
             * @description Whether the whole paid amount of the order is now refunded.
             * @example false
             */
            fullyRefunded: boolean;
        };
        OrderRefundedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.refunded";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
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
             * @description Status of a shipment of the order.
             * @example picked_up
             */
            status: string;
            /** @description Order items in the shipment. Empty for a shipment without an order, for parcels that contain no order items, and for a return shipment, because the return lists its own items. */
            items: components["schemas"]["ShipmentItem"][];
            /** @description URL of the tracking page of the shipment. Null if there is no such page. */
            trackingUrl: string | null;
        };
        /**
         * @description Sales channel of the order.
         * @enum {string}
         */
        OrderSource: "api" | "storefront" | "dashboard" | "pos" | "whatsapp" | "instagram" | "other";
        /**
         * @description Status of the order. More values may be added.
         * @enum {string}
         */
        OrderStatus: "pending" | "on_hold" | "processing" | "shipped" | "delivered" | "returned" | "cancelled";
        /** @description Data of the event, such as the changed record. */
        OrderStatusChangedData: {
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * @description Human-readable number of the order. Its last character is a check character.
             * @example ORD-7K2M9QX4
             */
            number: string;
            from: components["schemas"]["OrderStatus"];
            to: components["schemas"]["OrderStatus"];
            /** @description Reason code of the status change. Null if the change has no reason. */
            reason: string | null;
            /** @description Actor that made the change. */
            actor: {
                /**
                 * @description Type of the actor, such as a member or an API token.
                 * @example token
                 */
                type: string;
                /** @description Identifier of the actor. Null if the actor has no identifier. */
                id: string | null;
            };
            /**
             * Format: int64
             * @description Version of the order, incremented with each change. Compare the versions in events to ignore events that arrive out of order.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the status of the order changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        OrderStatusChangedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "order.status_changed";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["OrderStatusChangedData"];
        };
        /** @description Payment of an order. */
        Payment: {
            /**
             * @description Identifier of a payment.
             * @example pay_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Identifier of an order.
             * @example ord_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            orderId: string;
            /**
             * Format: int64
             * @description Amount received. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * @description Always NGN.
             * @example NGN
             * @enum {string}
             */
            currency: "NGN";
            method: components["schemas"]["PaymentMethod"];
            /**
             * @description Reference that the bank, terminal or provider gave the payment. Unique per merchant.
             * @example GTB-2026112108-00042
             */
            reference: string;
            /**
             * @description Payment provider, or `manual` for a payment that was recorded manually.
             * @example manual
             */
            provider: string;
            /** @description Identifier of the refund that was credited to this order as a payment, instead of being paid out. The refund is of another order. Null for a payment that the customer made. */
            refundId: string | null;
            /**
             * Format: date-time
             * @description When the payment was received.
             * @example 2026-11-21T08:30:00.000Z
             */
            paidAt: string;
            /** @description When the dispute that prevents a refund of the payment was opened. Such a dispute is open, ended with an unclear result, or returned the whole payment to the payer. For a credit, the dispute of the payment from which the credit was taken. Null otherwise. */
            disputedAt: string | null;
            /**
             * Format: int64
             * @description Amount that lost disputes of the payment returned to the payer. This amount cannot be refunded. For a credit, the part of the loss that the disputed payment could not cover, because this money had been moved to the credit. In kobo.
             * @example 0
             */
            disputeLostKobo: number;
            /** @description When the payment was voided; null if it was not voided. A voided payment is not part of the paid amount of the order. */
            voidedAt: string | null;
            /** @description Reason code of the void. Null unless the payment is voided. More values may be added. */
            voidReason: ("duplicate" | "wrong_amount" | "wrong_order" | "not_received" | "bounced" | "other") | null;
            /**
             * Format: date-time
             * @description When the payment was recorded.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /** @description State of the order after this payment. */
            order: {
                status: components["schemas"]["OrderStatus"];
                paymentStatus: components["schemas"]["PaymentStatus"];
                /**
                 * Format: int64
                 * @description Sum of the payments of the order, without voided payments. In kobo.
                 * @example 1500000
                 */
                paidKobo: number;
                /**
                 * Format: int64
                 * @description Amount that is still due for the order. Negative after an overpayment. In kobo.
                 * @example 0
                 */
                balanceKobo: number;
            };
        };
        /**
         * @description Payment method.
         * @enum {string}
         */
        PaymentMethod: "card" | "bank_transfer" | "pay_on_delivery" | "ussd" | "cash" | "other";
        /** @description Data of the event, such as the changed record. */
        PaymentRecordedData: {
            payment: components["schemas"]["Payment"];
            /**
             * Format: int64
             * @description Part of the payment above the amount due of the order. In kobo.
             * @example 0
             */
            excessKobo: number;
        };
        PaymentRecordedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.recorded";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["PaymentRecordedData"];
        };
        /**
         * @description Payment status of the order, derived from its payments and refunds.
         * @enum {string}
         */
        PaymentStatus: "unpaid" | "partially_paid" | "paid" | "partially_refunded" | "refunded";
        /** @description Data of the event, such as the changed record. */
        PaymentUnmatchedData: {
            /**
             * @description Reference of the payment at the provider. Null if the provider sent none.
             * @example T123456789
             */
            reference: string | null;
            /**
             * @description Identifier of the payment at the provider. Null if the provider sent none.
             * @example 4099260516
             */
            providerId: string | null;
            /**
             * @description Reason why the payment is not recorded: it names no order or an unknown order, its currency is not NGN, it is too large for its order, its data is unreadable, or another payment has its reference. More values may be added.
             * @example no_order
             * @enum {string}
             */
            reason: "no_order" | "order_unknown" | "currency" | "too_large" | "unreadable" | "reference_in_use";
            /** @description Identifier of the order that the payment names. Null if the payment names none. */
            orderId: string | null;
            /** @description Amount received in kobo. Null if it is unknown or in another currency. */
            amountKobo: number | null;
            /** @description When the payment was received. Null if unknown. */
            paidAt: string | null;
        };
        PaymentUnmatchedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.unmatched";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["PaymentUnmatchedData"];
        };
        /** @description Data of the event, such as the changed record. */
        PaymentVoidedData: {
            payment: components["schemas"]["Payment"];
        };
        PaymentVoidedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "payment.voided";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["PaymentVoidedData"];
        };
        /** @description Data of the event, such as the changed record. */
        ProductUpdatedData: {
            /**
             * @description Identifier of a product.
             * @example prd_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            productId: string;
            /**
             * @description Names of the changed fields. `variants` means that a variant was added, changed or removed.
             * @example [
             *       "title",
             *       "tags"
             *     ]
             */
            changes: string[];
            /**
             * Format: int64
             * @description Version of the product, incremented with each change of the product or a variant. A change of stock does not change the version.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the product changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ProductUpdatedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "product.updated";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ProductUpdatedData"];
        };
        /** @description Refund of an order. */
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
             * @description Number of the order that is refunded.
             * @example ORD-7K2M9QX4
             */
            orderNumber: string;
            /** @description Identifier of the return that the refund is for. Null if the refund names no return. */
            returnId: string | null;
            /**
             * Format: int64
             * @description Amount of the refund. In kobo.
             * @example 1500000
             */
            amountKobo: number;
            /**
             * Format: int64
             * @description VAT that the refunded amount includes. In kobo.
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
             * @description Reason code of the refund: any printable text, stored as sent. Suggested codes: damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, exchange, other. Put personal data into `note` instead.
             * @example damaged
             */
            reason: string;
            /** @description Internal note about the refund. Null without a note. */
            note: string | null;
            status: components["schemas"]["RefundStatus"];
            /**
             * @description Where the refund was created: in this service, or by the merchant in the dashboard of the payment `provider`. More values may be added.
             * @example service
             * @enum {string}
             */
            source: "service" | "provider";
            /** @description Refunded order items. Empty for a refund that has only an amount. */
            items: components["schemas"]["RefundItem"][];
            destination: components["schemas"]["RefundDestination"];
            /** @description Bank account of the refund. Null unless `destination` is `bank_account`. */
            account: components["schemas"]["RefundAccount"] | null;
            /** @description Identifier of the exchange order of the return, to which the refund is credited as a payment. Such a refund is not paid to the customer. Null for other refunds. */
            creditedOrderId: string | null;
            /**
             * @description Payment provider of the refund; `manual` if the merchant pays it outside this service.
             * @example manual
             */
            provider: string;
            /** @description Identifier of the refund at the provider. Null until the provider has assigned one. */
            providerReference: string | null;
            /** @description Code of the reason why the refund failed or the provider rejected the bank account. Null otherwise. */
            failureCode: string | null;
            /** @description Description of the failure in `failureCode`. Null without a failure code. */
            failureMessage: string | null;
            /**
             * @description Free key-value pairs. At most 50 keys of 1 to 40 characters, with values of up to 500 characters.
             * @example {
             *       "channel": "instagram"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Actor that created the refund. */
            createdBy: {
                /**
                 * @description Type of the actor, such as a member or an API token.
                 * @example token
                 */
                type: string;
                /** @description Identifier of the actor. Null if the actor has no identifier. */
                id: string | null;
            };
            /**
             * Format: date-time
             * @description When the refund was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the refund last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /** @description When the provider expects the refund to reach the customer. Null if unknown. */
            expectedAt: string | null;
            /** @description When the refund succeeded. Null until then. */
            succeededAt: string | null;
            /** @description When the refund failed. Null unless it failed. */
            failedAt: string | null;
            /** @description State of the order when the refund last changed. */
            order: {
                /**
                 * Format: int64
                 * @description Sum of the successful refunds of the order. In kobo.
                 * @example 1500000
                 */
                refundedKobo: number;
                /**
                 * Format: int64
                 * @description Amount of the order that can still be refunded, excluding disputed payments. In kobo.
                 * @example 0
                 */
                refundableKobo: number;
                paymentStatus: components["schemas"]["PaymentStatus"];
            };
        };
        /** @description Bank account with a masked account number. */
        RefundAccount: {
            /**
             * @description Masked account number, with its last four digits.
             * @example ******6789
             */
            accountNumber: string;
            /**
             * @description Code of the bank.
             * @example 058
             */
            bankCode: string;
            /**
             * @description Name of the account holder.
             * @example Adaeze Okafor
             */
            accountName: string;
        };
        /**
         * @description Destination of the refund: the `original_payment` method, the bank account in `account`, or `manual` as agreed between merchant and customer. More values may be added.
         * @enum {string}
         */
        RefundDestination: "original_payment" | "bank_account" | "manual";
        /** @description Data of the event, such as the changed record. */
        RefundFailedData: {
            refund: components["schemas"]["Refund"];
        };
        RefundFailedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.failed";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["RefundFailedData"];
        };
        RefundItem: {
            /**
             * @description Identifier of an order item.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int64
             * @description Refunded units.
             * @example 1
             */
            quantity: number;
            /**
             * @description Whether the refunded units are restocked.
             * @example false
             */
            restock: boolean;
            /**
             * Format: int64
             * @description Part of the refunded amount that belongs to the item. In kobo.
             * @example 1500000
             */
            amountKobo: number;
        };
        /**
         * @description Status of the refund. More values may be added.
         * @enum {string}
         */
        RefundStatus: "pending" | "processing" | "needs_attention" | "succeeded" | "failed" | "cancelled";
        /** @description Data of the event, such as the changed record. */
        RefundUpdatedData: {
            refund: components["schemas"]["Refund"];
            previousStatus: components["schemas"]["RefundStatus"];
        };
        RefundUpdatedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "refund.updated";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["RefundUpdatedData"];
        };
        /** @description Return: units of an order that the customer sends back to the shop. */
        Return: {
            /**
             * @description Identifier of a return.
             * @example ret_01jd3f8q6hf5n8v1zr4c7e2m9k
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
            status: components["schemas"]["ReturnStatus"];
            reason: components["schemas"]["ReturnReason"];
            /** @description Internal note about the return. Null without a note. */
            note: string | null;
            /** @description Units of the return, by order item. */
            items: components["schemas"]["ReturnItem"][];
            /**
             * Format: int64
             * @description Sum of the refunds for the return, without failed and cancelled refunds. `GET /refunds?returnId=` lists them. In kobo.
             * @example 0
             */
            refundedKobo: number;
            /** @description Identifier of the order that replaces the units of the return. Null without an exchange. */
            exchangeOrderId: string | null;
            /**
             * @description Shipments that transport the units of the return to the merchant, oldest first. Empty if the return has no shipment.
             * @example []
             */
            shipments: components["schemas"]["ReturnShipment"][];
            /**
             * @description Statuses to which the return can change now. They depend on its shipments too.
             * @example [
             *       "approved",
             *       "rejected"
             *     ]
             */
            allowedTransitions: components["schemas"]["ReturnStatus"][];
            /**
             * Format: int64
             * @description Version of the return, incremented with each change. The version is part of the ETag.
             * @example 1
             */
            version: number;
            /**
             * Format: date-time
             * @description When the return was created.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the return last changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            updatedAt: string;
            /** @description When the units were received. Null until then. */
            receivedAt: string | null;
            /** @description When the return was closed or rejected. Null until then. */
            endedAt: string | null;
        };
        /** @description Units of one order item in a return. */
        ReturnItem: {
            /**
             * @description Identifier of the order item.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int64
             * @description Number of units that the customer wants to return.
             * @example 2
             */
            quantity: number;
            /**
             * Format: int64
             * @description Number of units that came back and were put into stock again.
             * @example 1
             */
            restockedQuantity: number;
            /**
             * Format: int64
             * @description Number of units that came back and cannot be sold again.
             * @example 0
             */
            writtenOffQuantity: number;
            /**
             * Format: int64
             * @description Number of units in refunds for the return, without failed and cancelled refunds.
             * @example 0
             */
            refundedQuantity: number;
        };
        /**
         * @description Why the customer returns the units. More values may be added.
         * @enum {string}
         */
        ReturnReason: "wrong_size" | "wrong_item" | "damaged" | "not_as_described" | "arrived_late" | "changed_mind" | "other";
        /** @description Return shipment: a shipment from the customer to the merchant. */
        ReturnShipment: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Status of the shipment. More values may be added.
             * @example in_transit
             * @enum {string}
             */
            status: "scheduled" | "dispatching" | "awaiting_courier" | "courier_assigned" | "at_pickup" | "picked_up" | "in_transit" | "at_dropoff" | "delivered" | "delivery_failed" | "returning" | "returned" | "cancelling" | "cancelled" | "failed" | "lost";
        };
        /**
         * @description Status of the return. More values may be added.
         * @enum {string}
         */
        ReturnStatus: "requested" | "approved" | "in_transit" | "received" | "closed" | "rejected";
        /** @description Data of the event, such as the changed record. */
        ReturnStatusChangedData: {
            return: components["schemas"]["Return"];
            from: components["schemas"]["ReturnStatus"];
            to: components["schemas"]["ReturnStatus"];
            /**
             * Format: date-time
             * @description When the status changed.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ReturnStatusChangedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "return.status_changed";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ReturnStatusChangedData"];
        };
        /** @description Data of the event, such as the changed record. */
        ShipmentExceptionRaisedData: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            shipmentId: string;
            /**
             * @description Your own reference for the shipment. It is permanently unique per merchant. A repeated request with the same reference returns the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /** @description Identifier of the order to which the parcels belong. Null without an order, and for a return shipment. */
            orderId: string | null;
            /** @description Identifier of the return whose units the shipment brings back. Null for any other shipment. */
            returnId: string | null;
            /**
             * @description Type of the exception. `courier_late`: no rider was assigned in time, or the rider did not pick up the parcel in time. `pickup_late`: the pickup did not happen at the time estimated by the carrier. `tracking_stalled`: the carrier has sent no tracking update for hours. `unknown_carrier_status`: the carrier reports an unknown status, which does not change the shipment. `order_cancelled`: the order was cancelled after a carrier had accepted the shipment. `delivered_after_cancellation`: the parcel of a cancelled order was delivered. `units_refunded`: the parcel contains units that were refunded, or whose price a lost dispute returned, after a carrier had been requested. `units_not_shipped`: units were not sent because of a refund, and the refund then failed or was cancelled. `delivery_failed`: the carrier could not hand over the parcel, and still has it. `parcel_returned`: the parcel went back to its sender, which is the merchant or, for a return, the customer. `parcel_lost`: the carrier lost the parcel. `dispatch_failed`: no carrier accepted a shipment of the order’s units or of a return. `cod_amount_mismatch`: the rider collected another amount than the cash on delivery, or the collected cash could not be recorded as a payment of the order. More values may be added.
             * @example duplicate_dispatch
             * @enum {string}
             */
            code: "outcome_unknown" | "possible_duplicate" | "duplicate_dispatch" | "carrier_wallet_low" | "carrier_not_connected" | "carrier_account_blocked" | "order_missing" | "order_not_moved" | "order_cancelled" | "courier_late" | "pickup_late" | "tracking_stalled" | "unknown_carrier_status" | "price_above_ceiling" | "price_above_offer" | "cancellation_fee_above_accepted" | "cancelled_after_pickup" | "dispatch_failed" | "delivery_failed" | "parcel_returned" | "parcel_lost" | "delivered_after_cancellation" | "units_refunded" | "units_not_shipped" | "cod_amount_mismatch";
            /**
             * @description Code of the affected carrier. Null if the exception concerns no carrier.
             * @example simulator-swift
             */
            carrier: string | null;
            /**
             * @description Number of the affected dispatch attempt. Null if the exception concerns no attempt.
             * @example 1
             */
            attemptNumber: number | null;
            /** @description Accepted amount and charged amount of an exception of the type `price_above_ceiling`, `price_above_offer` or `cancellation_fee_above_accepted`. Null for exceptions of other types. */
            amounts: {
                /**
                 * Format: int64
                 * @description Accepted amount. In kobo.
                 * @example 300000
                 */
                allowedKobo: number;
                /**
                 * Format: int64
                 * @description Amount that the carrier charged or would charge, in kobo. In kobo.
                 * @example 325000
                 */
                chargedKobo: number;
            } | null;
            /**
             * Format: date-time
             * @description When the reported condition started.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ShipmentExceptionRaisedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "shipment.exception_raised";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ShipmentExceptionRaisedData"];
        };
        /** @description Units of one order item in a shipment. */
        ShipmentItem: {
            /**
             * @description Identifier of the order item.
             * @example itm_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            itemId: string;
            /**
             * Format: int32
             * @description Number of units of the item in the shipment.
             * @example 1
             */
            quantity: number;
        };
        /**
         * @description Status of the shipment. More values may be added.
         * @enum {string}
         */
        ShipmentStatus: "scheduled" | "dispatching" | "awaiting_courier" | "courier_assigned" | "at_pickup" | "picked_up" | "in_transit" | "at_dropoff" | "delivered" | "delivery_failed" | "returning" | "returned" | "cancelling" | "cancelled" | "failed" | "lost";
        /** @description Data of the event, such as the changed record. */
        ShipmentStatusChangedData: {
            /**
             * @description Identifier of a shipment.
             * @example shp_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            shipmentId: string;
            /**
             * @description Your own reference for the shipment. It is permanently unique per merchant. A repeated request with the same reference returns the same shipment.
             * @example ORD-7K2M9QX4-1
             */
            reference: string;
            /** @description Identifier of the order to which the parcels belong. Null without an order, and for a return shipment. */
            orderId: string | null;
            /** @description Identifier of the return whose units the shipment brings back. Null for any other shipment. */
            returnId: string | null;
            /** @description Order items in the shipment. Empty for a shipment without an order, for parcels that contain no order items, and for a return shipment, because the return lists its own items. */
            items: components["schemas"]["ShipmentItem"][];
            from: components["schemas"]["ShipmentStatus"];
            to: components["schemas"]["ShipmentStatus"];
            /** @description Reason for the status of the shipment. Null if there is no reason. */
            statusReason: {
                /**
                 * @description Reason code.
                 * @example no_carrier_available
                 */
                code: string;
                /** @description Reason for the status of the shipment, as text. */
                message: string;
            } | null;
            /** @description Carrier that accepted the shipment. Null until a carrier has accepted it. */
            carrier: {
                /**
                 * @description Code of the carrier.
                 * @example simulator-swift
                 */
                code: string;
                /**
                 * @description Name of the carrier.
                 * @example Simulator Swift
                 */
                name: string;
            } | null;
            /** @description Number of the dispatch attempt that caused the change. Null if no attempt caused it. */
            attemptNumber: number | null;
            /** @description URL of the tracking page of the carrier. Null if there is none. */
            trackingUrl: string | null;
            /**
             * Format: int64
             * @description Version of the shipment, incremented with each change. The version is part of the ETag.
             * @example 3
             */
            version: number;
            /**
             * Format: date-time
             * @description When the status of the shipment changed, according to the source of the update.
             * @example 2026-11-21T08:30:00.000Z
             */
            occurredAt: string;
        };
        ShipmentStatusChangedEvent: {
            /**
             * @description Identifier of the event. All delivery attempts to all endpoints contain the same identifier. Use the identifier to deduplicate deliveries.
             * @example evt_01jd3f8q6hf5n8v1zr4c7e2m9k
             */
            id: string;
            /**
             * @description Kind of the event, such as `order.created`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "shipment.status_changed";
            /**
             * Format: date-time
             * @description When the change that the event reports was committed.
             * @example 2026-11-21T08:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Mode of the changed record: `live` or `test`.
             * @example live
             * @enum {string}
             */
            mode: "live" | "test";
            /**
             * @description Whether the event is a test event, which reports no real change. The field is left out otherwise.
             * @example true
             * @enum {boolean}
             */
            test?: true;
            data: components["schemas"]["ShipmentStatusChangedData"];
        };
        /** @description Event, as delivered to webhook endpoints. `event` is its kind. */
        WebhookEvent: components["schemas"]["OrderCreatedEvent"] | components["schemas"]["OrderStatusChangedEvent"] | components["schemas"]["OrderRefundedEvent"] | components["schemas"]["InventoryLowStockEvent"] | components["schemas"]["ShipmentStatusChangedEvent"] | components["schemas"]["PaymentRecordedEvent"] | components["schemas"]["PaymentVoidedEvent"] | components["schemas"]["PaymentUnmatchedEvent"] | components["schemas"]["RefundUpdatedEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["ShipmentExceptionRaisedEvent"] | components["schemas"]["ReturnStatusChangedEvent"] | components["schemas"]["OrderEditedEvent"] | components["schemas"]["InventoryBackInStockEvent"] | components["schemas"]["ProductUpdatedEvent"] | components["schemas"]["CustomerUpdatedEvent"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Address = components['schemas']['Address'];
export type CustomerUpdatedData = components['schemas']['CustomerUpdatedData'];
export type CustomerUpdatedEvent = components['schemas']['CustomerUpdatedEvent'];
export type DiscountAllocation = components['schemas']['DiscountAllocation'];
export type FulfillmentStatus = components['schemas']['FulfillmentStatus'];
export type InventoryBackInStockData = components['schemas']['InventoryBackInStockData'];
export type InventoryBackInStockEvent = components['schemas']['InventoryBackInStockEvent'];
export type InventoryLowStockData = components['schemas']['InventoryLowStockData'];
export type InventoryLowStockEvent = components['schemas']['InventoryLowStockEvent'];
export type Order = components['schemas']['Order'];
export type OrderCreatedData = components['schemas']['OrderCreatedData'];
export type OrderCreatedEvent = components['schemas']['OrderCreatedEvent'];
export type OrderDiscount = components['schemas']['OrderDiscount'];
export type OrderEditedData = components['schemas']['OrderEditedData'];
export type OrderEditedEvent = components['schemas']['OrderEditedEvent'];
export type OrderItem = components['schemas']['OrderItem'];
export type OrderRefundedData = components['schemas']['OrderRefundedData'];
export type OrderRefundedEvent = components['schemas']['OrderRefundedEvent'];
export type OrderShipment = components['schemas']['OrderShipment'];
export type OrderSource = components['schemas']['OrderSource'];
export type OrderStatus = components['schemas']['OrderStatus'];
export type OrderStatusChangedData = components['schemas']['OrderStatusChangedData'];
export type OrderStatusChangedEvent = components['schemas']['OrderStatusChangedEvent'];
export type Payment = components['schemas']['Payment'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentRecordedData = components['schemas']['PaymentRecordedData'];
export type PaymentRecordedEvent = components['schemas']['PaymentRecordedEvent'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PaymentUnmatchedData = components['schemas']['PaymentUnmatchedData'];
export type PaymentUnmatchedEvent = components['schemas']['PaymentUnmatchedEvent'];
export type PaymentVoidedData = components['schemas']['PaymentVoidedData'];
export type PaymentVoidedEvent = components['schemas']['PaymentVoidedEvent'];
export type ProductUpdatedData = components['schemas']['ProductUpdatedData'];
export type ProductUpdatedEvent = components['schemas']['ProductUpdatedEvent'];
export type Refund = components['schemas']['Refund'];
export type RefundAccount = components['schemas']['RefundAccount'];
export type RefundDestination = components['schemas']['RefundDestination'];
export type RefundFailedData = components['schemas']['RefundFailedData'];
export type RefundFailedEvent = components['schemas']['RefundFailedEvent'];
export type RefundItem = components['schemas']['RefundItem'];
export type RefundStatus = components['schemas']['RefundStatus'];
export type RefundUpdatedData = components['schemas']['RefundUpdatedData'];
export type RefundUpdatedEvent = components['schemas']['RefundUpdatedEvent'];
export type Return = components['schemas']['Return'];
export type ReturnItem = components['schemas']['ReturnItem'];
export type ReturnReason = components['schemas']['ReturnReason'];
export type ReturnShipment = components['schemas']['ReturnShipment'];
export type ReturnStatus = components['schemas']['ReturnStatus'];
export type ReturnStatusChangedData = components['schemas']['ReturnStatusChangedData'];
export type ReturnStatusChangedEvent = components['schemas']['ReturnStatusChangedEvent'];
export type ShipmentExceptionRaisedData = components['schemas']['ShipmentExceptionRaisedData'];
export type ShipmentExceptionRaisedEvent = components['schemas']['ShipmentExceptionRaisedEvent'];
export type ShipmentItem = components['schemas']['ShipmentItem'];
export type ShipmentStatus = components['schemas']['ShipmentStatus'];
export type ShipmentStatusChangedData = components['schemas']['ShipmentStatusChangedData'];
export type ShipmentStatusChangedEvent = components['schemas']['ShipmentStatusChangedEvent'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
/** The envelope of each event type. */
export interface WebhookEventByKind {
    "order.created": OrderCreatedEvent;
    "order.status_changed": OrderStatusChangedEvent;
    "order.refunded": OrderRefundedEvent;
    "inventory.low_stock": InventoryLowStockEvent;
    "shipment.status_changed": ShipmentStatusChangedEvent;
    "payment.recorded": PaymentRecordedEvent;
    "payment.voided": PaymentVoidedEvent;
    "payment.unmatched": PaymentUnmatchedEvent;
    "refund.updated": RefundUpdatedEvent;
    "refund.failed": RefundFailedEvent;
    "shipment.exception_raised": ShipmentExceptionRaisedEvent;
    "return.status_changed": ReturnStatusChangedEvent;
    "order.edited": OrderEditedEvent;
    "inventory.back_in_stock": InventoryBackInStockEvent;
    "product.updated": ProductUpdatedEvent;
    "customer.updated": CustomerUpdatedEvent;
}
export type WebhookEventKind = keyof WebhookEventByKind;
