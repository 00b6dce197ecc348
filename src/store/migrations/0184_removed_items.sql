-- A refund removes units from a shipment before the next request to a carrier. If the refund is not paid in the end, the shipment
-- reports these units, and no other units of the order. Shipments of earlier releases list none.
alter table shipments add column removed_items jsonb not null default '[]';

comment on column shipments.removed_items is 'The order items and quantities that left the shipment because of a refund, in the form of items.';
