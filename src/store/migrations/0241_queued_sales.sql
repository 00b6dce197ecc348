-- The days with orders or refunds from before the triggers. Reads the tables without blocking writes.
insert into sales_changes (merchant_id, day)
select merchant_id, (created_at at time zone 'Africa/Lagos')::date
from orders
union
select merchant_id, (created_at at time zone 'Africa/Lagos')::date
from refunds;
