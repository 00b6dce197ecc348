-- The page of an order is full when the order is refunded. With a tenth of each page free, the new version of the row stays in the
-- page, and no index changes. Other changes of an order gain less, because most of them change its status, which is indexed. The
-- setting applies to pages that are filled from now on.
alter table orders set (fillfactor = 90);
