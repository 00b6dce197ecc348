-- Reads the tables without blocking writes.
alter table quotes validate constraint quote_cash_is_positive;
alter table shipments validate constraint shipment_cash_is_positive;
alter table shipments validate constraint shipment_collects_cash_at_a_time;
