-- For the list of all of a merchant's payments; by order and by reference there are indexes already.
create index payments_newest_first on payments (merchant_id, created_at desc, id desc);
