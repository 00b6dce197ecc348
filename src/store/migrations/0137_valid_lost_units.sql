-- Reads the table without blocking writes.
alter table order_items validate constraint item_returns_no_lost_unit;
